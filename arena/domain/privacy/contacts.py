"""Contacts of a person: e-mail addresses, also spelt out, messenger ids, handles and links to profiles.

All patterns except `EMAIL` are for texts in lower case.
"""

from __future__ import annotations

import re
from typing import Final

EMAIL: Final = re.compile(
    r"(?<![\w.+-])[\w.+%-]{1,64} ?(?:@|\(at\)|\[at\]) ?(?:[\w-]+\.)+[^\W\d_]{2,24}(?![\w@])", re.IGNORECASE
)

_AT: Final = (
    r"(?: ?[(\[{<]{1,2} ?(?:at|ät|@|艾特|爱特|小老鼠|a) ?[)\]}>]{1,2} ?| (?:at|ät|arroba|arobase|chez|собака) (?!the |an? |this |that )"
    r"| ?(?:艾特|爱特|圈a|a圈|小老鼠) ?| 在 |[_-]at[_-])"
)
_DOT: Final = (
    r"(?: ?[(\[{<]{1,2} ?(?:dot|punkt|point|punto|точка|点|\.) ?[)\]}>]{1,2} ?| (?:dot|punkt|point|punto|точка) "
    r"| ?[点。] ?|[ _-]dot[ _-]| \. )"
)
_TLD: Final = (
    r"(?:com|net|org|edu|gov|mil|info|biz|name|io|ai|app|dev|co|me|eu|uk|us|ca|au|nz|cn|hk|tw|mo|sg|my|jp|kr|in|de|at|ch"
    r"|fr|es|pt|it|nl|be|lu|pl|cz|ru|ua|se|no|dk|fi|ie|gr|tr|il|za|br|mx|ar|top|xyz|vip|site|online|email|example|test"
    r"|invalid)(?![a-z0-9])"
)
_LOCAL: Final = rf"(?<![a-z0-9_.+-])[a-z0-9][\w.+-]{{0,40}}(?:{_DOT}[\w+-]{{1,30}}){{0,3}}"
_MAILBOX: Final = (
    r"(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|proton(?:mail)?|gmx|foxmail|qq|126|163|139|sina)"
)
SPELT_EMAIL: Final = re.compile(
    # "at" and at least one dot in words: name at example dot com.
    rf"{_LOCAL}{_AT}(?:[\w-]{{1,40}}(?:{_DOT}|\.)){{0,3}}[\w-]{{1,40}}{_DOT}{_TLD}"
    # @, and a dot in words: name@example 点 com.
    rf"|{_LOCAL} ?@ ?(?:[\w-]{{1,40}}(?:{_DOT}|\.)){{0,3}}[\w-]{{1,40}}{_DOT}{_TLD}"
    # Another sign for @ before a provider of mailboxes: name#qq.com.
    rf"|(?<![a-z0-9_.+-])[a-z0-9][a-z0-9_.+-]{{2,40}} ?[#*$&] ?{_MAILBOX}\.{_TLD}"
    rf"|(?<![a-z0-9_.+-])[a-z0-9][a-z0-9_.+-]{{2,40}} ?[^\w\s.,/:]{{1,3}} ?[\w-]{{2,30}}\.{_TLD}(?=[^\n]{{0,24}}(?:换成|改成|替换|代替|replace))"
    rf"|(?<![a-z0-9_.+-])[a-z0-9][a-z0-9_.]{{0,30}}[\d._][a-z0-9_.]{{0,30}} at {_MAILBOX}\.{_TLD}"
    rf"|(?:e-?mail|mailbox|邮箱|邮件|邮箱)[^\n]{{0,24}} (?!me |us |support )[a-z0-9][a-z0-9_.+-]{{1,40}} at [\w-]{{2,40}}\.{_TLD}"
    # "at" in words before an ordinary domain: name(at)example.com.
    rf"|{_LOCAL}(?: ?[(\[{{<]{{1,2}} ?(?:at|ät|艾特|爱特|@|a) ?[)\]}}>]{{1,2}} ?| ?(?:艾特|爱特|圈a|a圈|小老鼠) ?|_at_)(?:[\w-]{{1,40}}\.){{1,4}}{_TLD}"
    # @ with a space beside it, perhaps with a comma for the dot.
    rf"|{_LOCAL}(?: @ ?|@ )[\w-]{{1,40}} ?[.,] ?(?:com|net|org|cn|de|edu)(?![a-z0-9])"
)

_IS: Final = (
    r"(?: ?(?:号码|号|账号|帐号|用户名|同号|id|名字|名|昵称|叫|是|为|加|搜|[:=,()\[\]\"'`]|➕|\+)"
    r"| (?:is|me|at|as|under|my|user ?name|name|account|handle|contact|there|called|by)\b){0,5} ?"
)
MESSENGER: Final = re.compile(
    # An id of WeChat: a letter, then 5 to 19 more signs, with a digit, a dash or an underscore unless it is announced.
    r"(?:微 ?信|薇信|威信|v信|绿泡泡|加 ?[v微]|(?<![a-z])(?:vx|wx|we ?chat|weixin|v(?= ?:))(?![a-z]))"
    rf"{_IS}@?(?=[a-z.-]*[\d_])[a-z][\w.-]{{5,19}}(?![\w.]*[(=])"
    r"|(?:微 ?信 ?号|微 ?信 ?id|we ?chat ?id|my we ?chat(?= is| ?:)|加我?微信)(?: ?是| is)? ?[:=]? ?(?!a |an |not )[a-z][a-z-]{5,19}(?![\w(])"
    # A number of QQ: 5 to 11 digits.
    r"|(?:(?<![a-z])q ?q|(?<![a-z])q(?= ?[:号])|扣扣|企鹅|叩叩|球球|加我?q)"
    r"(?:[^\d\n。;?!]{0,3}[1-9](?:[ -]?\d){5,10}|[^\d\n。;?!]{0,10}(?:号码?|[:是加为#]|number|no\.?|id|is)[^\d\n。;?!]{0,8}[1-9](?:[ -]?\d){4,10})"
    r"(?!\d|\.\d| ?[年万亿个人月元%])"
)

_NETWORK: Final = (
    r"(?:twitter|instagram|insta|(?<![a-z])(?:ig|tg|fb|psn|x\.com)(?![a-z])|tik ?tok|telegram|snapchat|snap|discord"
    r"|threads|mastodon|bluesky|youtube|facebook|reddit|twitch|github|linkedin|weibo|douyin|bilibili|xiaohongshu|kakao"
    r"(?:talk)?|skype|steam|xbox|line|微博|小红书|抖音|快手|b站|哔哩哔哩|知乎|推特|豆瓣|脸书|贴吧|闲鱼|支付宝|钉钉|电报)"
)
_HANDLE: Final = r"(?<![a-z0-9_.+-])@[a-z0-9_][\w.-]{1,30}"
_CUE: Final = (
    r"(?:handle|user ?name|screen name|nickname|gamer ?tag|follow (?:me|us|my)|dm me|tag me|find me|add me|message me|reach me"
    r"|关注|粉我|私信|私聊|互关|加我|我的账号|我的帐号|我的号|是我本人|用户名|昵称)"
)
_DISTINCT: Final = r"(?=[a-z.-]*[\d_.])[a-z_][\w.-]{2,30}[a-z0-9_]"
"""A name that is not an ordinary word: it has a digit, a dot or an underscore."""
HANDLE: Final = re.compile(
    rf"(?:{_NETWORK}|{_CUE})(?:[^\n@。;]{{0,24}}{_HANDLE}| ?(?:号|账号|名|是|昵称)?[: ]{{0,2}}@[\u4e00-\u9fff])"
    rf"|{_HANDLE}[^\n@。;]{{0,12}}(?:{_NETWORK}|{_CUE})"
    rf"|{_NETWORK} ?(?:user ?name|handle|name|account|nick(?:name)?|tag|id|uid|号|账号|帐号|昵称|用户名)"
    rf"(?: ?(?:is|[:=#]|是|为|my|[\"'`]))* ?(?:{_DISTINCT}|\d{{5,}}|(?<=[:=])[a-z][\w.-]{{3,}})"
    rf"|{_NETWORK}(?: ?: ?| is | ?是 ?| ?- ?)(?:{_DISTINCT})(?![/(])"
    rf"|(?<![a-z])(?:my|our) {_NETWORK}(?: is| ?:) (?!a |an |the |not |on |full |very |too |now |so |in |down |broken|private|public)[a-z][\w.-]{{3,30}}(?=[.,;!?]?(?:\n|$))"
    r"|(?<![\w/.])/?u/(?=[a-z_-]*[\d_])[\w-]{3,20}(?![\w/(^])|(?<![\w/.])/?u/[\w-]{3,20}(?= on reddit)"
    rf"|(?:discord|battle\.?net|battletag)[^\n]{{0,30}}?(?<![\w])[\w.]{{2,32}}#\d{{4,5}}(?!\d)"
    rf"|(?:uid|user id|player id|friend code)[: ]{{1,2}}(?:sw-)?\d[\d-]{{6,18}}(?!\w)"
)

_NO_PERSON: Final = (
    r"(?!(?:about|ads|apps?|blog|business|collections|developers?|download|enterprise|events|explore|features|games|groups"
    r"|hashtag|help|home|i|intent|join|jobs|legal|login|marketplace|orgs|p|pages|policies|pricing|privacy|reel|reels|search"
    r"|security|settings|share|sharer|signup|sponsors|stories|terms|topics|trending|tv|video|watch|your[\w-]*|user(?:name)?"
    r"|example|profile|@?name)(?![\w.-]))"
)
PROFILE: Final = re.compile(
    r"(?:linkedin\.com/in/|linkedin\.com/pub/|xing\.com/profile/|facebook\.com/(?:profile\.php\?id=|people/)|fb\.com/"
    r"|t\.me/|wa\.me/|line\.me/ti/p/|snapchat\.com/add/|tiktok\.com/@|youtube\.com/(?:@|user/|channel/|c/)"
    r"|(?:medium|threads|bsky)\.(?:com|net|app)/(?:@|profile/)|reddit\.com/u(?:ser)?/|steamcommunity\.com/(?:id|profiles)/"
    r"|stackoverflow\.com/users/|researchgate\.net/profile/|scholar\.google\.[a-z.]+/citations\?(?:[\w=&-]*&)?user="
    r"|orcid\.org/\d|quora\.com/profile/|keybase\.io/|vk\.com/|ok\.ru/profile/|twitch\.tv/|about\.me/|linktr\.ee/"
    r"|discord(?:app)?\.com/users/|strava\.com/athletes/|(?:m\.)?weibo\.(?:com|cn)/(?:u|n|profile)/|weibo\.com/\d"
    r"|space\.bilibili\.com/|zhihu\.com/people/|xiaohongshu\.com/user/(?:profile/)?|xhslink\.com/|douyin\.com/user/|v\.douyin\.com/"
    r"|kuaishou\.com/profile/|douban\.com/people/|jianshu\.com/u/|juejin\.cn/user/|blog\.csdn\.net/|user\.qzone\.qq\.com/"
    rf"|tieba\.baidu\.com/home/|(?:music\.163|y\.qq)\.com/.{0, 3}user|u\.wechat\.com/|qm\.qq\.com/|okjike\.com/u|zcool\.com\.cn/u/|b23\.tv/|maimai\.cn/contact){_NO_PERSON}[\w%@.-]{{2,}}"
    # Hosts whose paths begin with a person, without a further part: github.com/name, but not github.com/name/project.
    rf"|(?<![\w-])(?:www\.|m\.)?(?:github|gitlab|gitee|twitter|x|instagram|facebook|weibo|pinterest)\.com/"
    rf"(?:#!/)?@?{_NO_PERSON}[\w.-]{{2,39}}/?(?![\w/.-]*[\w/-])"
    # A person as subdomain, and addresses of federated networks (https://host/@name).
    r"|(?<![\w-])(?!www\.|api\.|docs?\.|m\.|help\.|support\.|blog\.)[\w-]{2,}\.(?:tumblr\.com|livejournal\.com|lofter\.com)"
    r"|https?://[\w.-]+/@[\w.-]{2,}"
    # On any host, a user's page whose name has four digits in a row.
    r"|https?://(?!api\.|localhost|127\.|(?:www\.)?example\.)[\w.-]+/(?:u|user|users|people|profile|member|space|author)/(?:id/)?"
    r"(?=[\w-]*\d{4})[\w-]{4,}"
)
