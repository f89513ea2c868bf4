"""Which of equal elements are chosen, where PyTorch's choice is the same on every machine."""


def _rows(torch, length, different):
    drawn = torch.arange(3 * length).reshape(3, length)
    return (drawn * 7919 + drawn * drawn * 31) % 1009 % different


def _few_and_many(torch):
    for length, different in ((2, 1), (5, 2), (17, 3), (40, 4), (130, 7), (300, 50), (70, 1)):
        yield _rows(torch, length, different).float()


def largest_and_smallest(torch):
    return [
        [rows.topk(k, largest=largest).indices for k in (1, 2, rows.shape[1] // 2)]
        for rows in _few_and_many(torch)
        for largest in (True, False)
    ]


def along_the_first_dimension(torch):
    return [[rows.t().topk(2, 0), rows.t().kthvalue(2, 0)] for rows in _few_and_many(torch)]


def of_whole_numbers(torch):
    rows = _rows(torch, 60, 5)
    return [
        [rows.to(dtype).topk(7).indices, rows.to(dtype).kthvalue(30).indices]
        for dtype in (torch.uint8, torch.int32, torch.int64, torch.float16, torch.float64)
    ]


def at_a_place(torch):
    return [
        [rows.kthvalue(k).indices for k in (1, 2, rows.shape[1] // 2 + 1, rows.shape[1])]
        for rows in _few_and_many(torch)
    ]


def most_frequent(torch):
    return [rows.mode() for rows in _few_and_many(torch)]


def beside_nan(torch):
    nan = float("nan")
    x = torch.tensor([1.0, nan, 1.0, nan, 0.0, 1.0])
    return [x.topk(4), x.topk(4, largest=False), x.kthvalue(2), x.kthvalue(5), x[:4].mode()]


def gradients(torch):
    x = _rows(torch, 20, 3).float().requires_grad_()
    values = torch.cat([x.topk(4)[0], x.kthvalue(9, keepdim=True)[0], x.mode(keepdim=True)[0]], 1)
    values.sum().backward()
    return x.grad


def among_many(torch):
    """What is chosen of rows that are not put in order as a whole; nan is the largest."""
    rows = _rows(torch, 300, 1009).float()
    missing = torch.where(rows > 1000, float("nan"), rows)
    return [
        [
            each.topk(3),
            each.topk(3, largest=False),
            each.kthvalue(7),
            each.median(),
            each.t().topk(2),
        ]
        for each in (rows, missing, rows.double(), rows.long())
    ]
