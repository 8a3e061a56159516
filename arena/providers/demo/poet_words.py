"""What the poet writes with: images by scene, as couples of lines that rhyme (English) or stand in parallel (Chinese)."""

from __future__ import annotations

from typing import Final, NamedTuple


class Scene(NamedTuple):
    """The words that call a scene up, and its couples of lines."""

    signs: tuple[str, ...]
    couples: tuple[tuple[str, str], ...]


def _scene(signs: str, *couples: str) -> Scene:
    pairs = (couple.split(" / ") for couple in couples)
    return Scene(tuple(signs.split()), tuple((first, second) for first, second in pairs))


SCENES_EN: Final = (
    _scene(
        "sea rain river water ocean ship fish storm wave travel trip blue",
        "The rain goes down the window, street by street / and hums an ancient song beneath our feet",
        "The river carries more than it can say / and gives a little of it up each day",
        "A ship without a harbour is a prayer / that someone folded once and left out there",
        "The tide forgets the letters in the sand / but never quite forgets the writing hand",
        "What sinks is not for ever lost to sight / the deepest water keeps a little light",
    ),
    _scene(
        "moon star sky night sun light planet space sleep dream dark",
        "The moon hangs up her lantern on a thread / and reads the sleeping houses in their bed",
        "A star has travelled longer than we know / to spend itself on someone's patch of snow",
        "The night is not the absence of the day / it is the day that looks the other way",
        "We gave the dark a thousand names for fear / and then a candle, and the dark came near",
        "The dreams we mean to keep are first to go / like footprints in the morning's early snow",
    ),
    _scene(
        "code python computer program machine function ai robot data algorithm internet model software digital",
        "A cursor blinks; the whole machine is still / and waits, as only what is nothing will",
        "The loop returns to where it first began / and does again what only patience can",
        "We taught the sand to think in ones and noughts / and now it hands us back our own good thoughts",
        "A bug is but a truth we overlooked / a simmering small kettle, overcooked",
        "The answer compiles cleanly in the end / if you have been your error's patient friend",
    ),
    _scene(
        "love friend mother father heart happy sad family tired day lonely cheer child home",
        "The heart is not a house with just one door / it lets the same old guest come in once more",
        "A friend is someone who has stayed to hear / the thing you did not say when they were near",
        "So put the kettle on and close the gate / the world will turn without us; let it wait",
        "A weary day grows lighter by the hour / when someone brings a joke, a bun, a flower",
        "What we call home is hardly brick or stone / it is the place that will not leave alone",
    ),
    _scene(
        "spring summer autumn winter flower tree bird garden leaf green photosynthesis mountain animal plant food cook",
        "The leaf drinks light and makes of it a meal / and asks no wages for its daily zeal",
        "The swallows write their sentence on the air / and leave the final comma hanging there",
        "An apple is a year that learned to stay / a round and ruddy keeping of the day",
        "The mountain has no need of being high / it simply sits and lets the clouds go by",
        "The garden knows a thing that clocks do not / how much can happen in one quiet plot",
    ),
    _scene(
        "time history war money work number life death king city calculate how why what",
        "The clock has never once been known to stay / it counts its coins and gives them all away",
        "The city writes its diary in stone / each window with a story of its own",
        "Count all you like, the sum will not be still / a little always rolls back down the hill",
        "They carved the names of kings above the door / the rain has read them, and will read no more",
        "Between the question and the thing we know / there runs a bridge that only children go",
    ),
)

SCENES_ZH: Final = (
    _scene(
        "雨 水 江 河 海 船 鱼 湖 风 浪 旅 行 游",
        "细雨敲窗久 / 孤灯照梦长", "江阔云垂野 / 舟轻月在衣", "潮来沙有字 / 风去岸无痕", "檐滴三更漏 / 池生一夜波",
        "一蓑烟雨归来晚 / 半卷诗书漫自吟", "水流不问东西路 / 云起常随远近山",
    ),
    _scene(
        "月 星 夜 天 空 梦 睡 光 太阳 蓝 日 宇宙 地球",
        "月出千山静 / 星垂万户明", "夜深花影瘦 / 风定烛光圆", "天高孤雁远 / 露重小虫鸣", "云开峰欲语 / 日暮水含金",
        "一轮明月分南北 / 几点疏星数古今", "长空万里无人扫 / 留与清风慢慢吟",
    ),
    _scene(
        "代码 程序 函数 电脑 机器 人工智能 数据 算法 网 计算 数 模型 科技 python Python",
        "键落如疏雨 / 屏开似晓天", "千行终有误 / 一字可通神", "循环无尽处 / 归去是初心", "零一藏天地 / 毫厘辨古今",
        "灯前细改三更字 / 窗外新啼五月莺", "机关算尽仍须问 / 方寸之间有化工",
    ),
    _scene(
        "爱 友 母 父 心 家 累 开心 难过 孤独 你好 人 情 思 想 妈 爸 朋",
        "故人来有约 / 清茗淡无言", "灯火三杯暖 / 江湖一笑轻", "心宽天地阔 / 梦稳夜更长", "倦鸟知林近 / 闲云爱日迟",
        "人生到处逢春雨 / 且把闲愁付酒杯", "莫道前程风雪紧 / 炉边自有故人温",
    ),
    _scene(
        "春 夏 秋 冬 花 树 鸟 草 叶 山 茶 菜 饭 植物 动物 光合 食 农",
        "叶绿初承日 / 花明欲醉人", "山深茶自老 / 泉冷鹤来迟", "秋声先到竹 / 春信早归梅", "种豆知晴雨 / 烹蔬识岁时",
        "一庭新绿无人问 / 几处残红有蝶知", "春风不入新诗里 / 却在寻常草木间",
    ),
    _scene(
        "历史 古 王 战 时间 钱 城 生 死 年 工作 学 书 客栈 为什么 唐 宋 明 清",
        "古道斜阳瘦 / 残碑旧字青", "读史灯如豆 / 推窗月满城", "功名随逝水 / 文字耐寒霜", "市远声犹沸 / 心闲夜已深",
        "百年旧事凭谁说 / 一卷残书对月看", "客路风霜催白发 / 掌中灯火照归人",
    ),
)  # fmt: skip

HEADS: Final = (
    "来梦里听风雨", "在眉间不必寻", "随流水到天涯", "与青山共白头", "入清秋一雁声", "向灯前细细看", "逐闲云过小楼", "对明月两无言",
    "照寒窗夜读书", "付东风不问归", "伴长亭一路花", "落人间作画图", "上层楼望远山", "生万象此中藏", "如春草绿连天", "映疏林一径深",
)  # fmt: skip
