"""PyTorch writes into preallocated tensors; it uses erfc, since ndtr would allocate tensors."""

import torch

PARAMETERS = ("threads",)


def normal_(d):
    return d.mul_(-(0.5**0.5)).erfc_().mul_(0.5)


def prepare(case):
    device = "cuda" if case.stream else "cpu"
    spread, d2 = torch.empty((2, case.size), dtype=getattr(torch, case.dtype), device=device)

    def run(price, strike, years, rate, volatility, call, put):
        torch.sqrt(years, out=spread).mul_(volatility)
        torch.div(price, strike, out=call).log_()
        call.add_(years, alpha=rate + volatility**2 / 2).div_(spread)  # now `call` contains d1
        torch.sub(call, spread, out=d2)
        torch.mul(years, -rate, out=put).exp_().mul_(strike)
        normal_(call).mul_(price).addcmul_(put, normal_(d2), value=-1)
        put.add_(call).sub_(price)

    return run
