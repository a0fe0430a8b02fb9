"""PyTorch evaluates the formula with torch.special.ndtr; each operation makes a new tensor."""

import torch
from torch.special import ndtr

PARAMETERS = ("threads",)


def run(price, strike, years, rate, volatility, call, put):
    spread = volatility * torch.sqrt(years)
    d1 = (torch.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    present = strike * torch.exp(-rate * years)
    call = price * ndtr(d1) - present * ndtr(d1 - spread)
    return call, call - price + present
