"""The sentences of a plan: each a claim that the simulation of exactly that plan can confirm."""
