"""Numbers recognised by a word beside them: papers, records, memberships, accounts and devices.

For texts in lower case. Numbers are searched for first and the words beside them second, since most texts have few.
"""

from __future__ import annotations

import re
from typing import Final

from arena.domain.privacy.kinds import Kind

_CHUNK: Final = r"[a-z]{0,6}\d[a-z0-9]*"
_NUMBER: Final = re.compile(rf"(?<![\w.@/])(?=[^\n]{{4}}){_CHUNK}(?:[ ./·-]{_CHUNK}){{0,6}}(?![\w@])", re.ASCII)
_NAMED: Final = (
    r"numbers?|no\b|nr\b|num\b|nummer|n[ºo°]\b|número|numéro|ids?\b|card|code|号码|号|编号|代码|码|字号|[:#]"
)
_GAP: Final = r"[^\d\n;!?。]{0,28}"


def _cue(strong: str, weak: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for the text before and after a number; `weak` words need a word for "number", "#" or ":" as well."""
    before = rf"(?:(?:{strong}){_GAP}|(?:{weak}) ?[^\d\n;!?。]{{0,8}}?(?:{_NAMED})(?:{_NAMED}|[^\d\n;!?。a-z]|[a-z]{{1,4}}[ -]?){{0,6}})\Z"
    after = rf" ?(?:is|was|are|[(,:=-]|是|为|这是)? ?(?:(?:my|his|her|our|their|the|a|我的?) ?)?(?:(?:{strong})|(?:{weak}) (?:{_NAMED}))"
    return re.compile(before), re.compile(after)


_CUES: Final = (
    (
        Kind.PAPER,
        5,
        _cue(
            r"passport|driver'?s? licen[cs]e|driving licen[cs]e|identity card|id card|national id|(?<![a-z])ssn|social security"
            r"|(?<![a-z])my social|national insurance|nino|taxpayer|tax id|tax file|(?<![a-z])tfn|(?<![a-z])itin|steuer-?id"
            r"|personalausweis|reisepass|führerschein|permis de conduire|sécurité sociale|(?<![a-z])dni|(?<![a-z])nie"
            r"|codice fiscale|residence permit|green card|hkid|(?<![a-z])(?:my|his|her) id|(?<![a-z])id (?:number|no\b)|паспорт\w*|удостоверени\w+|снилс|инн|جواز السفر"
            r"|بطاقة الهوية|رقم الهوية|护照|驾驶证|驾照|驾照档案|身份证|身分证|社保|社会保障|社会保险|通行证"
            r"|台胞证|回乡证|军官证|居留证|居住证",
            r"licen[cs]e|(?<![a-z])ni|ausweis|visa|证件",
        ),
    ),
    (
        Kind.RECORD,
        5,
        _cue(
            r"(?<![a-z])mrn|(?<![a-z])nhs|medicare|medicaid|versichertennummer|krankenversichertennummer|病历号|住院号"
            r"|住院号|门诊号|就诊号|就诊卡|医保卡|医保号|医保|社保卡|健保卡|病案号|检查号|体检号|医疗卡",
            r"medical record|patient|hospital|health insurance|health card|insurance|policy|member|membership|subscriber"
            r"|krankenversicherung|病历|住院|门诊|就诊|患者|保单|会员",
        ),
    ),
    (
        Kind.MEMBERSHIP,
        4,
        _cue(
            r"matrikelnummer|matrikel-?nr|personalnummer|学号|学籍号|学生证|准考证|考号|考生号|员工号|员工编号"
            r"|工号|工牌号|警号|教工号|职工号|胸牌号",
            r"student|matriculation|enrol?lment|candidate|employee|staff|personnel|badge|payroll|worker|学生|员工|工牌",
        ),
    ),
    (
        Kind.ACCOUNT,
        8,
        _cue(
            r"account|acct|a/c|routing|sort code|(?<![a-z])bsb|iban|(?<![a-z])konto|kontonummer|(?<![a-z])blz|cuenta"
            r"|账号|帐号|账户|帐户|卡号|银行卡|储蓄卡|信用卡|借记卡|工资卡",
            r"compte|conto|bank",
        ),
    ),
    (
        Kind.DEVICE,
        3,
        _cue(
            r"imei|(?<![a-z])meid|serial number|serial no|(?<![a-z])s/n|udid|android id|idfa|gaid|advertising id|(?<![a-z])vin"
            r"|chassis number|iccid|imsi|序列号|序号|设备号|设备id|设备号|机器码|车架号|发动机号|机身号|串号",
            r"serial|(?<![a-z])sn|device|chassis|设备",
        ),
    ),
)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_BEFORE, _AFTER = 56, 40
"""Characters before and after a number in which its word is searched for."""
_MIN_DEVICE_LENGTH: Final = 8
"""Least characters of a device's number, of which few may be digits."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def announced_number(text: str) -> Kind | None:
    """The kind of the first number that a word beside it identifies; None if there is none."""
    for match in _NUMBER.finditer(text):
        digits = sum(map(str.isdigit, match[0]))
        start, end = match.start() + len(match[0]) - len(match[0].lstrip(_LETTERS)), match.end()
        before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
        kind = _kind(before, after, match[0], digits)
        if kind is not None:
            return kind
    return None


def _kind(before: str, after: str, number: str, digits: int) -> Kind | None:
    if digits < min(least for _, least, _ in _CUES) or _YEAR.fullmatch(number):
        return None
    for kind, least, (first, last) in _CUES:
        if digits < least or (kind is Kind.DEVICE and len(number) < _MIN_DEVICE_LENGTH):
            continue
        if first.search(before) or last.match(after):
            return kind
    return None
