import contextlib
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli import main
from graders.executors import ExecutorError, executor
from graders.executors.local import Local
from graders.isolation import Limits
from graders.reading.submissions import Submission, find_submissions
from graders.run.batch import Job, Settings
from tests.graders.classroom import entry, verdict
from tests.graders.test_cli import hand_in, right
from tests.graders.workers import ISOLATING

distributed = pytest.importorskip("distributed", reason="the extra «dask» is not installed")
dask = pytest.importorskip("dask")  # these come with distributed
psutil = pytest.importorskip("psutil")

from graders.executors.dask import BATCH, Dask, batch_size  # noqa: E402

LESSON = "07_custom_functions"


def by_name(submission, isolation, limits, seed):
    """Grade a made-up submission as its student's name says."""
    time.sleep(0.02)
    if submission.student.startswith("crash"):
        os.kill(os.getpid(), signal.SIGKILL)
    return [verdict("fn-square", summary=f"seed {seed}")]


def jobs_of(students):
    made = []
    for seed, student in enumerate(students):
        submission = Submission(student, LESSON, Path(student))
        made.append(Job(entry(student), submission, seed))
    return made


SETTINGS = Settings("none", Limits(), by_name)


def plain(gradings):
    """`gradings` in order, without what differs between any two runs."""
    return sorted((replace(g, seconds=0.0) for g in gradings), key=lambda g: g.entry)


def cluster_of(workers, threads=1):
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=threads,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
        silence_logs=50,
    )


@pytest.fixture(scope="module", autouse=True)
def forked_workers():
    """Have Dask fork its workers from a process that has imported everything they need."""
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        yield


@pytest.fixture(scope="module")
def cluster():
    with cluster_of(2, threads=2) as made:
        # A worker that is lost while it starts is not started again by anything else.
        made.adapt(minimum=2, maximum=2)
        yield made


def processes_of(cluster):
    return [worker.pid for worker in cluster.workers.values() if worker.pid]


def test_a_cluster_grades_as_one_machine_does(cluster):
    jobs = jobs_of(f"student {n}" for n in range(40))
    there = list(Dask(cluster.scheduler_address, 2).grade_all(jobs, SETTINGS))
    assert plain(there) == plain(Local(1).grade_all(jobs, SETTINGS))


def test_results_come_before_everything_is_graded(cluster):
    jobs = jobs_of(f"student {n}" for n in range(200))
    arriving = Dask(cluster.scheduler_address, 2).grade_all(jobs, SETTINGS)
    started = time.monotonic()
    next(arriving)
    first = time.monotonic() - started
    assert len(list(arriving)) == 199
    assert first < (time.monotonic() - started) / 2


def test_a_class_is_read_no_further_ahead_than_batches_need(cluster, monkeypatch):
    monkeypatch.setattr("graders.executors.dask.LOOK_AHEAD", 0)
    monkeypatch.setattr("graders.executors.dask.BATCH", 5)
    jobs = jobs_of(f"student {n}" for n in range(300))
    rest = iter(jobs)
    arriving = Dask(cluster.scheduler_address, 2).grade_all(rest, SETTINGS)
    there = [next(arriving)]
    unread = len(list(rest))
    there += arriving
    assert unread > 200
    assert plain(there) == plain(Local(1).grade_all(jobs[: 300 - unread], SETTINGS))


def test_a_lost_worker_loses_no_submission(cluster):
    jobs = jobs_of(f"student {n}" for n in range(120))
    arriving = Dask(cluster.scheduler_address, 2).grade_all(jobs, SETTINGS)
    there = [next(arriving)]
    os.kill(processes_of(cluster)[0], signal.SIGKILL)
    there += arriving
    assert plain(there) == plain(Local(2).grade_all(jobs, SETTINGS))


def test_a_submission_that_ends_every_worker_costs_the_others_nothing(cluster, monkeypatch):
    jobs = jobs_of(["ada", "ben", "crash", "cleo", "dora", "emil"])
    graded = {
        g.entry.student: g for g in Dask(cluster.scheduler_address, 2).grade_all(jobs, SETTINGS)
    }
    assert sorted(graded) == sorted(job.entry.student for job in jobs)
    crashed = graded.pop("crash")
    assert {v.status for v in crashed.verdicts} == {"error"}
    assert "Worker after worker ended" in crashed.verdicts[0].summary
    for grading in graded.values():
        assert any(v.status == "passed" for v in grading.verdicts)


def test_batches_are_large_at_first_and_small_in_the_end():
    assert batch_size(20_000, 100) == BATCH
    waiting, sizes = 1_000, []
    while waiting:
        sizes.append(batch_size(waiting, 4))
        waiting -= sizes[-1]
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (BATCH, 1)


def test_nobody_is_graded_where_nothing_isolates(cluster):
    jobs = jobs_of(["ada"])
    settings = Settings("auto", Limits(), by_name)
    with distributed.Client(cluster, set_as_default=False) as client:
        # Workers that other tests have ended may still be on their way back.
        client.wait_for_workers(2, timeout=60)
        client.run(_isolate_nothing, True)
        try:
            with pytest.raises(ExecutorError, match=r"A Dask worker cannot grade(.|\n)*bubblewrap"):
                list(Dask(cluster.scheduler_address, 2).grade_all(jobs, settings))
        finally:
            client.run(_isolate_nothing, False)


def _isolate_nothing(nothing):
    import graders.isolation as isolation

    isolation.choose.cache_clear()
    if nothing:
        isolation.KINDS_THERE, isolation.KINDS = (
            isolation.KINDS,
            dict.fromkeys(isolation.KINDS, _unavailable),
        )
    else:
        isolation.KINDS = getattr(isolation, "KINDS_THERE", isolation.KINDS)


def _unavailable():
    from graders.isolation import IsolationUnavailable

    raise IsolationUnavailable("not here")


def test_another_version_on_a_worker_is_told(cluster, monkeypatch):
    monkeypatch.setattr("graders.executors.dask.installed", lambda: "another")
    with pytest.raises(ExecutorError, match="another version of autograd-lessons"):
        list(Dask(cluster.scheduler_address, 2).grade_all(jobs_of(["ada"]), SETTINGS))


@pytest.mark.skipif(not ISOLATING, reason="no kind of isolation works on this machine")
def test_isolated_workers_end_with_the_run_and_with_their_dask_worker(cluster, tmp_path):
    for number in range(8):
        hand_in(tmp_path, f"student {number}", right())
    jobs = [Job(entry(each.student), each, seed=7) for each in find_submissions(tmp_path)]
    settings = Settings(ISOLATING[0], Limits())
    arriving = Dask(cluster.scheduler_address, 2).grade_all(jobs, settings)
    there = [next(arriving)]
    isolated = isolated_below(cluster)
    assert isolated
    os.kill(processes_of(cluster)[0], signal.SIGKILL)
    there += arriving
    assert {verdict.status for grading in there for verdict in grading.verdicts} == {"passed"}
    assert len(there) == 8
    assert psutil.wait_procs(isolated, 10)[1] == []
    assert isolated_below(cluster) == []


def isolated_below(cluster):
    """The processes that keep students' code from everything else, in any of the workers."""
    found = []
    for process in processes_of(cluster):
        with contextlib.suppress(psutil.NoSuchProcess):
            found += psutil.Process(process).children(recursive=True)
    return [each for each in found if any("inner" in word for word in _words(each))]


def _words(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.cmdline()
    return []


def test_nobody_at_the_address_is_told(monkeypatch):
    monkeypatch.setattr("graders.executors.dask.CONNECT_SECONDS", 0.5)
    with pytest.raises(ExecutorError, match=r"Cannot reach the Dask scheduler at tcp://127"):
        list(Dask("tcp://127.0.0.1:9", 1).grade_all(jobs_of(["ada"]), SETTINGS))


def test_a_cluster_without_workers_is_told(monkeypatch):
    monkeypatch.setattr("graders.executors.dask.CONNECT_SECONDS", 2)
    with (
        cluster_of(0) as empty,
        pytest.raises(ExecutorError, match="No workers have joined"),
    ):
        list(Dask(empty.scheduler_address, 1).grade_all(jobs_of(["ada"]), SETTINGS))


def test_a_cluster_that_loses_all_its_workers_is_told_and_loses_nothing(monkeypatch, caplog):
    monkeypatch.setattr("graders.executors.dask.WORKERLESS_SECONDS", 2)
    jobs = jobs_of(f"student {n}" for n in range(300))
    with cluster_of(1) as deserted:
        arriving = Dask(deserted.scheduler_address, 1).grade_all(jobs, SETTINGS)
        there = [next(arriving)]
        deserted.scale(0)
        with pytest.raises(ExecutorError, match=r"gone.*same command again: it goes on from there"):
            there += arriving
    assert "waiting up to 2 s for some" in caplog.text
    done = {grading.entry for grading in there}
    rest = [job for job in jobs if job.entry not in done]
    assert rest
    everything = there + list(Local(1).grade_all(rest, SETTINGS))
    assert plain(everything) == plain(Local(1).grade_all(jobs, SETTINGS))


def test_workers_that_come_back_go_on(monkeypatch):
    jobs = jobs_of(f"student {n}" for n in range(100))
    with cluster_of(1) as varying:
        arriving = Dask(varying.scheduler_address, 1).grade_all(jobs, SETTINGS)
        there = [next(arriving)]
        varying.scale(0)
        while varying.scheduler_info["workers"]:
            time.sleep(0.1)
        varying.scale(1)
        there += arriving
    assert plain(there) == plain(Local(1).grade_all(jobs, SETTINGS))


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "graders.executors.dask")
    with pytest.raises(ExecutorError, match=r"pip install 'autograd-lessons\[dask\]'"):
        executor("dask", 1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--scheduler", "tcp://127.0.0.1:9"), "only with --executor dask"),
        (("--executor", "slurm"), "Invalid value for '--executor'"),
        (("--shard", "4/3"), "there is no part 4 of 3"),
        (("--shard", "half"), "not of the form 3/8"),
    ],
)
def test_options_that_cannot_be_meant_are_explained(tmp_path, options, says):
    arguments = ["grade", str(tmp_path), "--out", str(tmp_path / "out"), *options]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())


def test_a_cluster_that_is_not_there_ends_the_run_with_status_two(tmp_path, monkeypatch):
    monkeypatch.setattr("graders.executors.dask.CONNECT_SECONDS", 0.5)
    hand_in(tmp_path / "submissions", "ada", right())
    arguments = ["grade", str(tmp_path / "submissions"), "--out", str(tmp_path / "out")]
    where = ["--executor", "dask", "--scheduler", "tcp://127.0.0.1:9"]
    result = CliRunner().invoke(main, [*arguments, *where])
    assert result.exit_code == 2
    assert "Cannot reach the Dask scheduler at tcp://127.0.0.1:9" in result.output
