# Has its source, which is shown as an example, hold whatever a page, a template or a table might run.
# expects: failed partial error
# </script><script>alert('source')</script> <!--<script> ]]> {{ 7 * 191 }} {% raw %} ${7*191} &#60;img src=x onerror=alert(2)&#62;
EVIL = "`<img src=x onerror=alert(3)>` </textarea></style><svg onload=alert(4)> =1+1 |x| [x](javascript:alert(5))"
Thing = type("<img src=x onerror=alert(6)>`{{ 7 * 191 }}`", (), {"__repr__": lambda self: EVIL})


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        print(EVIL)
        return Thing()

    @staticmethod
    def backward(ctx, grad_output):
        raise RuntimeError(EVIL)
