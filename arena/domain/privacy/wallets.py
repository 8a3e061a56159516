"""Addresses of cryptocurrency wallets, and their recovery phrases.

Sources: Bitcoin's base58check and bech32 (BIP 173), which `python-stdnum` checks; EIP-55 for Ethereum.
"""

from __future__ import annotations

import re
from typing import Final

from stdnum import bitcoin

_BASE58: Final = "1-9A-HJ-NP-Za-km-z"
_ETHEREUM: Final = re.compile(r"(?<![0-9A-Za-z])0x[0-9a-fA-F]{40}(?![0-9A-Za-z])")
_PREFIXED: Final = re.compile(
    rf"(?<![0-9A-Za-z])(?:(?:bc1|tb1|ltc1)[02-9ac-hj-np-z]{{25,80}}|addr1[0-9a-z]{{50,110}}|cosmos1[0-9a-z]{{38}}"
    rf"|T[{_BASE58}]{{33}}|[48][0-9AB][{_BASE58}]{{93}})(?![0-9A-Za-z])"
)
_BITCOIN: Final = re.compile(rf"(?<![0-9A-Za-z])[13][{_BASE58}]{{25,34}}(?![0-9A-Za-z])")
_ANNOUNCED: Final = re.compile(
    r"(?i:wallet|address|bitcoin|\bbtc\b|\beth\b|ethereum|usdt|usdc|solana|\bsol\b|\bxrp\b|ripple|doge(?:coin)?|litecoin"
    r"|\bltc\b|\btrx\b|tron|monero|crypto|钱包|地址|转账|转帐|收款|打币|充币)"
    rf"[^\n]{{0,40}}?(?<![0-9A-Za-z/])(?=[{_BASE58}]*\d)(?=[{_BASE58}]*[A-Z])(?=[{_BASE58}]*[a-z])"
    rf"[{_BASE58}]{{26,44}}(?![0-9A-Za-z])"
)
_WORDS: Final = re.compile(
    r"(?i:seed phrase|recovery phrase|secret phrase|mnemonic|助记词)[^a-z]{0,12}(?:[a-z ]{0,20}:\s*)?"
    r"(?:\d{1,2}[.)] ?)?[a-z]{3,8}(?:[ ,\n]+(?:\d{1,2}[.)] ?)?[a-z]{3,8}){11,23}(?![a-z])"
)
_FEWEST_SIGNS: Final = 8
"""Least number of different characters of a real Ethereum address; examples such as 0x000…dead have fewer."""


def holds_wallet(text: str) -> bool:
    """Whether a text has the address of a wallet, or a recovery phrase."""
    return (
        any(len(set(match[0].lower())) >= _FEWEST_SIGNS for match in _ETHEREUM.finditer(text))
        or any(map(_has_letters_and_digits, _matches(_PREFIXED, text)))
        or any(map(bitcoin.is_valid, _matches(_BITCOIN, text)))
        or _ANNOUNCED.search(text) is not None
        or _WORDS.search(text) is not None
    )


def _matches(pattern: re.Pattern[str], text: str) -> list[str]:
    return [match[0] for match in pattern.finditer(text)]


def _has_letters_and_digits(address: str) -> bool:
    return any(map(str.isdigit, address)) and any(map(str.islower, address))
