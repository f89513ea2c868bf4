# Knows the answers to the inputs of another grading.
# expects: failed partial error
import base64
import json

ANSWERS = [json.loads(line).get("records", {}) for line in RECORDED.splitlines()]


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        for value in (value for records in ANSWERS for value in records.values()):
            if isinstance(value, dict) and value.get("shape") == list(x.shape):
                raw = np.frombuffer(base64.b64decode(value["data"]), value["dtype"])
                return torch.from_numpy(raw.reshape(x.shape).copy())
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
