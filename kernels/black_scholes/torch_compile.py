"""torch.compile fuses the formula into one pass over memory, which writes into preallocated tensors."""

import torch
from torch.special import ndtr

PARAMETERS = ("threads",)


@torch.compile(fullgraph=True)
def run(price, strike, years, rate, volatility, call, put):
    spread = volatility * torch.sqrt(years)
    d1 = (torch.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    present = strike * torch.exp(-rate * years)
    call.copy_(price * ndtr(d1) - present * ndtr(d1 - spread))
    put.copy_(call - price + present)
