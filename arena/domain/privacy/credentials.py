"""Credentials: keys, tokens, cookies and passwords."""

from __future__ import annotations

import re
from typing import Final

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
    r"密码|口令|密钥|金钥|令牌|пароль|токен|كلمة المرور|كلمة السر)"
    r"[\"']?(?: (?:is|are))?[ ]?[:=是为]?[> ]{0,2}[\"'`]?([^\s\"'`,;，。；)(<>{}\[\]]{8,})",
    re.IGNORECASE,
)
_VALUE: Final = r"([\w%~+/|*!.-]{10,}={0,2})"
_SESSION: Final = re.compile(
    # The name of a cookie or token, and its value.
    r"(?<![a-z])(?:(?<![a-z_.-])[a-z_.-]*sess(?:ion)?[ _-]?(?:id|data|key|token|hash)?|(?:[a-z]+[._])?sid|(?:csrf|xsrf|auth)[a-z_-]{0,60}"
    r"|(?:access|refresh|id|user|login|jwt|bearer)[_-]token|bduss|sessdata|bili_jct|stoken|p?_?skey|remember[a-z_-]{0,60}"
    r"|__(?:secure|host)-[\w-]{1,60}|wordpress_logged_in\w{0,60}|laravel_session|_ga|cf_clearance|z_c0|ticket)[\"']?(?: ?[=:是]| is:?) ?[\"'`]?"
    rf"(?:basic |bearer |token )?{_VALUE}"
    rf"|(?<![a-z])bearer {_VALUE}"
    rf"|(?<![a-z])(?:set-)?cookies?[\"']? ?[:=] ?[\"']?(?:[\w.-]+=[^;\s]{{0,200}}; ?){{0,20}}?[\w.-]+={_VALUE}"
)
_FEWEST_DIGITS: Final = 3


def holds_key(text: str) -> bool:
    """Whether a text has a key of a known form, or a word such as "password" and a value of letters and digits."""
    return bool(KEY.search(text)) or any(_is_password(match[1]) for match in _ANNOUNCED.finditer(text))


def holds_session(text: str) -> bool:
    """Whether a text in lower case has a session cookie or another token of a signed-in person."""
    return any(_is_random(value) for match in _SESSION.finditer(text) for value in match.groups() if value)


def _is_password(value: str) -> bool:
    """Whether a value has letters and digits, and is neither a URL nor a dotted name of a program."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and not re.search(r"://|\w\.\w", value)


def _is_random(value: str) -> bool:
    """Whether a value looks randomly generated: letters, at least three digits, and not a URL."""
    return any(map(str.isalpha, value)) and sum(map(str.isdigit, value)) >= _FEWEST_DIGITS and "://" not in value
