# Puts markup, terminal commands and formulas wherever its words may be shown.
# expects: failed partial error
EVIL = "</pre><script>alert('mine')</script><img src=x onerror=alert(1)>\x1b[2J\x1b]0;mine\x07\u202egpj.\x9b"
print(EVIL)
print('=HYPERLINK("http://evil","click")')


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        print(EVIL)
        raise type("<script>alert('type')</script>", (Exception,), {})(EVIL + "{{ 7 * 191 }} %s ${x}")
