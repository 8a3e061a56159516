"""Places of people: postal addresses and exact coordinates."""

from __future__ import annotations

import re
from typing import Final

_STREET: Final = (
    r"street|st\.?|avenue|ave\.?|road|rd\.?|boulevard|blvd\.?|lane|ln\.?|drive|dr\.?|court|ct\.?|terrace|place|way|square|sq\."
    r"|grove|crescent|close|gardens|row|mews|circle|trail|parkway|pkwy\.?|highway|hwy\.?|walk|heights|loop|alley|quay|rise"
)
_DIRECTION: Final = r"(?:[NSEW]{1,2}\.?|North|South|East|West)"
_UNIT: Final = r"(?:[Aa]pt\.?|[Aa]partment|[Ss]uite|[Ff]lat|[Uu]nit|#)"
_CAPITAL: Final = r"[A-ZÀ-Þ][\wß-ÿ'’.-]*"
_ZH_NUMBER: Final = r"[\d一二三四五六七八九十百]{1,5}"
ADDRESS: Final = re.compile(
    # A number, up to three capitalised words, and a word for a street.
    rf"(?<![\w.])(?<![Ii]n )\d{{1,5}}[A-Za-z]?,? (?:{_DIRECTION} )?(?:{_CAPITAL} |\d{{1,3}}(?:st|nd|rd|th) ){{1,3}}(?i:{_STREET})(?![\w-])"
    # A number and words before a postal code of the USA or the United Kingdom.
    rf"|(?<![\w.])\d{{1,5}}[A-Za-z]? {_CAPITAL}[^\n;?!]{{2,60}}?,? (?:[A-Z]{{2}} \d{{5}}(?:-\d{{4}})?|[A-Z]{{1,2}}\d[A-Z\d]? \d[A-Z]{{2}})(?!\w)"
    rf"|(?i:p\.? ?o\.? box) \d{{1,6}}"
    rf"|{_UNIT} ?\d{{1,4}}[A-Za-z]?, \d{{1,5}} {_CAPITAL}"
    # German, French, Spanish, Italian and Portuguese streets.
    r"|(?:[A-ZÄÖÜ][\wäöüß-]{0,60}(?:straße|strasse|str\.|weg|allee|gasse|platz|damm|ufer|ring)|[A-ZÄÖÜ][\wäöüß-]{1,60}[ -](?:Straße|Strasse|Str\.|Weg"
    r"|Allee|Platz|Damm|Ufer|Ring)) \d{1,4} ?[a-z]?(?!\w)"
    r"|\d{1,4}(?: ?(?:bis|ter|[a-dA-D]))?,? (?i:rue|avenue|av\.|boulevard|bd\.?|chemin|impasse|allée|quai|cours|route|place) "
    r"(?:(?:de|du|des|la|le|les|l'|d'|de la|de l') ?)*[A-ZÀ-Þ]"
    r"|(?i:calle|c/|avenida|avda\.?|paseo|carrera|rua|via|viale|piazza|corso|plaza) [A-ZÀ-Þ][^\n;?!\d]{2,40},? (?:n[ºo°.]* ?)?\d{1,4}(?!\d)"
    # A house number, a postal code and a town.
    r"|[A-ZÄÖÜ][\wäöüß. -]{2,40} \d{1,4} ?[a-z]?(?:, ?|\n| )(?:[A-Z]{1,2}-)?\d{4,5} [A-ZÄÖÜÉ][a-zäöüßéè]{2,}"
    # Chinese: a number after a word for an address, a road with a number, or a building with a flat.
    r"|(?:住址|地址|住在|家住|我住|寄到|寄往|寄给|送到|收货)[是在为]?[: ]{0,2}[^\n。;?]{0,30}?"
    rf"{_ZH_NUMBER} ?(?:号|弄|室|楼|栋|幢|单元|巷)"
    rf"|[\u4e00-\u9fff]{{2,8}}(?:路|街|巷|道|胡同|弄|里)[东西南北中]?[一二三四五六七八九十]{{0,3}}段? ?{_ZH_NUMBER} ?(?:巷 ?\d+ ?)?(?:弄 ?\d+ ?)?(?:号)"
    rf"|{_ZH_NUMBER} ?(?:号楼|栋|幢|座|号院)[^\n。,;]{{0,8}}?{_ZH_NUMBER} ?(?:单元|楼|层|门)?[^\n。,;]{{0,4}}?\d{{2,4}} ?(?:室|号|房|户)"
    rf"|(?:小区|花园|公寓|家园|新村|苑|大厦|广场|村)[^\n。,;\d]{{0,3}}{_ZH_NUMBER} ?(?:号楼|栋|幢|座)[^\n。,;]{{0,10}}\d{{2,4}}"
    r"|(?i:адрес|живу|проживаю|ул\.|улица|улице|проспект|пер\.)[^\n.;?]{0,40}?(?:д\.|дом|кв\.|,) ?\d{1,4}"
    r"|(?:عنواني|العنوان|أسكن|شارع)[^\n.;؟]{0,40}?\d{1,5}"
    r"|(?i:\b(?:my|home|mailing|postal|shipping|billing) address(?: is|:)) ?[^\n]{0,40}\d{1,6}"
    r"|(?i:\bi live at|\bich wohne|\bmeine adresse|\bj'habite|\bmon adresse|\bvivo en|\bmi dirección)[^\n@]{1,40}(?<![\d.])\d{1,5}(?![\d.°])"
)

_DEGREES: Final = r"[-+]?\d{1,3}\.\d{3,}"
_COORDINATES: Final = re.compile(rf"(?<![\w.])({_DEGREES})[^\d\n]{{1,24}}?({_DEGREES})(?![\d.])", re.ASCII)
_SEXAGESIMAL: Final = re.compile(
    r"\d{1,3} ?[°度] ?\d{1,2} ?[′'分] ?\d{1,2}(?:\.\d+)? ?(?:\"|″|′′|''|秒|(?=[nsew]))"
    r"|(?<![a-z])[ns] ?\d{1,2}° ?\d{1,2}\.\d{3}"
    # Open Location Codes, and the three words of what3words.
    r"|(?<![a-z0-9+])[2-9cfghjmpqrvwx]{4,8}\+[2-9cfghjmpqrvwx]{2,3}(?![a-z0-9+])(?=[ ,][a-z\u4e00-\u9fff])|(?<![\w/:])///[a-z]{3,}\.[a-z]{3,}\.[a-z]{3,}"
)
_MEASURE: Final = re.compile(
    r"(?<![a-z])(?:lat|latitude|lng|lon|longitude|coord\w*|gps|geo\w*|location|located|position|maps?|pin)(?![a-z])"
    r"|坐标|经度|纬度|经纬|北纬|东经|定位|位置|地图|[?&]q=|@-?\d|°"
)
_HOME: Final = re.compile(r"(?<![a-z])(?:i|my|me|we|our|live|home|house|meet|address|here)(?![a-z])|我|家|住|这里|在这")
_CUE_DISTANCE: Final = 48
"""Characters before coordinates in which a cue is searched for; after them it is half as many."""
_EXACT: Final = 4
"""Decimals of degrees of an exact place, about ten metres."""
_LATITUDE, _LONGITUDE = 90, 180


def holds_coordinates(text: str) -> bool:
    """Whether a text in lower case has a place, latitude and longitude in either order, to some hundred metres."""
    return _SEXAGESIMAL.search(text) is not None or any(_is_place(text, match) for match in _COORDINATES.finditer(text))


def _is_place(text: str, match: re.Match[str]) -> bool:
    first, second = sorted(abs(float(number)) for number in match.groups())
    if first > _LATITUDE or not 1 <= second <= _LONGITUDE:
        return False
    start, end = max(0, match.start() - _CUE_DISTANCE), match.end() + _CUE_DISTANCE // 2
    is_exact = all(len(number.partition(".")[2]) >= _EXACT for number in match.groups())
    return bool(_HOME.search(text, start, end) or (is_exact and _MEASURE.search(text, start, end)))
