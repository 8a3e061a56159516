"""Keys, tokens and passwords, and addresses of the network: what lets somebody in, or leads to somebody."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final

EMAIL: Final = re.compile(
    r"(?<![\w.+-])[\w.+%-]{1,64} ?(?:@|\(at\)|\[at\]) ?(?:[\w-]+\.)+[^\W\d_]{2,24}(?![\w@])", re.IGNORECASE
)
URL_WITH_CREDENTIALS: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/@:<>\"']*:[^\s/@<>\"']+@[^\s/]"
    r"|[?&](?:access_token|api_?key|auth|key|password|pwd|secret|sig|signature|token)=[\w%.~+/-]{8,}",
    re.IGNORECASE,
)
PRIVATE_KEY: Final = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
KEY: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[A-Za-z0-9_-]{20,}|(?:sk|pk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}|arena_[A-Za-z0-9_-]{20,}"
    r"|(?:AKIA|ASIA|AROA)[A-Z0-9]{16}|LTAI[A-Za-z0-9]{12,}|AKID[A-Za-z0-9]{16,}|AIza[\w-]{35}|ya29\.[\w-]{20,}"
    r"|gh[oprsu]_[A-Za-z0-9]{36}|github_pat_\w{22,}|gl(?:pat|dt|rt)-[\w-]{20,}|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}"
    r"|pypi-[\w-]{50,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|SG\.[\w-]{16,}\.[\w-]{16,}|\d{8,10}:AA[\w-]{33}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})"
)
_ANNOUNCED: Final = re.compile(
    r"(?:api[ _-]?key|access[ _-]?token|auth[ _-]?token|\btoken|secret(?:[ _-]?key)?|passw(?:or)?d|passphrase|\bpwd|"
    r"密码|密碼|口令|密钥|金鑰|令牌|пароль|токен|كلمة المرور|كلمة السر)"
    r"[\"']?(?: (?:is|are))?[ ]?[:=是为為]?[> ]{0,2}[\"'`]?([^\s\"'`,;，。；)(<>{}\[\]]{8,})",
    re.IGNORECASE,
)
_V4: Final = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)")
_V6: Final = re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){1,6}(?![\w:])", re.IGNORECASE)


def holds_key(text: str) -> bool:
    """Whether there is a key of a known form, or a word for one with letters and digits after it."""
    return bool(KEY.search(text)) or any(_mixed(found[1]) for found in _ANNOUNCED.finditer(text))


def holds_address(text: str) -> bool:
    """Whether there is an address of the public Internet."""
    return any(_is_public(found[0]) for pattern in (_V4, _V6) for found in pattern.finditer(text))


def _mixed(value: str) -> bool:
    """Whether it looks drawn or chosen: letters and digits, and no call or path of a program."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and not re.search(r"://|\w\.\w", value)


def _is_public(text: str) -> bool:
    try:
        return ip_address(text).is_global
    except ValueError:
        return False
