"""Questions and answers that have marks, or look like them, and of which nothing may be lost."""

# ruff: noqa: E501 - one answer a line

from __future__ import annotations

TOKENS = [
    ("What does </think> do in DeepSeek's output?", "The tag </think> closes the block of reasoning."),
    ("What does </think> do?", "`</think>` ends the reasoning; what follows is the answer."),
    ("What does </think> do?", "</think> marks the point where the model stops reasoning and starts to answer."),
    (
        "How do I strip reasoning from R1's replies?",
        "Split at the closing tag:\n\n```python\n_, _, answer = reply.rpartition('</think>')\n```\n\nEverything after it is the answer.",
    ),
    (
        "How do I strip reasoning from R1's replies?",
        "Everything up to and including </think> is reasoning, so drop it.",
    ),
    ("Which tag separates thinking from the answer?", 'It is written as "</think>" in most templates.'),
    ("Which tag separates thinking from the answer?", "- **</think>** ends it\n- **<think>** begins it"),
    (
        "How is a prompt for Qwen formatted?",
        "Each turn looks like this:\n\n<|im_start|>user\nHi there!<|im_end|>\n<|im_start|>assistant\n\nThe model then goes on.",
    ),
    ("Write the ChatML of a user who says hi.", "<|im_start|>user\nhi<|im_end|>"),
    ("Which token ends a turn in ChatML? Only the token.", "<|im_end|>"),
    ("Which token ends a turn in ChatML?", "The token is <|im_end|>"),
    ("Which token ends a turn in ChatML?", "The token is <|im_end|>."),
    ("Which token ends a turn in ChatML?", "The token is:\n\n<|im_end|>"),
    ("Append <|im_end|> to 'Hello!'", "Hello!<|im_end|>"),
    ("Repeat after me: <|endoftext|>", "<|endoftext|>"),
    (
        "Why does my Llama never stop?",
        'It never sees its stop token. Add `<|eot_id|>` to the stop list:\n\n```json\n{"stop": ["<|eot_id|>", "<|end_of_text|>"]}\n```',
    ),
    (
        "Why does my Llama never stop?",
        "Llama 3 ends a turn with <|eot_id|> and a document with <|end_of_text|>, so both have to be stop tokens.",
    ),
    ("Explain the Mistral template.", "A turn is `<s>[INST] question [/INST] answer</s>`."),
    (
        "Explain the Mistral template.",
        "A turn of the template is <s>[INST] question [/INST] answer</s>, repeated for each turn.",
    ),
    ("Show me Gemma's template", "```\n<start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\n```"),
    ("Show me Gemma's template", "Gemma wraps turns in <start_of_turn> and <end_of_turn> markers."),
    (
        "What is harmony?",
        "It is OpenAI's format, with channels such as `<|channel|>analysis<|message|>` and `<|channel|>final<|message|>`.",
    ),
    ("How does Hermes call tools?", 'It writes `<tool_call>{"name": "f"}</tool_call>`, and the server parses it.'),
    ("How does Hermes call tools? Explain the tags.", "A call stands between <tool_call> and </tool_call> as JSON."),
    ("Explain <think> to a beginner", "<think> is a tag that some models write before they reason."),
    ("What are [INST] tags?", "[INST] and [/INST] enclose what the user says."),
    ("解释一下 </think> 的作用", "</think>是结束推理的标签，后面才是正式回答。"),
    ("解释一下 </think> 的作用", "模型用</think>结束思考部分。"),
    ("DeepSeek 的结束标记是什么？", "DeepSeek 的结束标记是 <｜end▁of▁sentence｜>，写在每轮回答之后。"),
    ("ChatML 的结束标记是什么？", "结束标记是<|im_end|>"),
    ("ChatML 的结束标记是什么？", "结束标记是“<|im_end|>”。"),
    (
        "千问的对话模板怎么写？",
        "格式如下：\n\n```text\n<|im_start|>user\n你好<|im_end|>\n<|im_start|>assistant\n```\n\n模型从最后一行接着写。",
    ),
    ("千问的对话模板怎么写？", "<|im_start|>user\n你好<|im_end|>\n<|im_start|>assistant"),
    ("怎样去掉推理内容？", "用正则 `re.sub(r'.*</think>', '', text, flags=re.S)` 即可。"),
    ("怎样去掉推理內容？", "把「</think>」之前的文字全部刪掉就可以了。"),
    ("请只输出结束符 </s>", "</s>"),
    ("请解释 `<think>` 标签", "<think>标签用于包裹模型的推理过程，</think>表示推理结束。"),
    (
        "What happens in the tokenizer?",
        "Special tokens such as <|endoftext|>, <|im_start|> and <|im_end|> get ids of their own.",
    ),
]
"""Answers about marks, each with its question."""

CODE = [
    (
        "Write F# that doubles and prints a list",
        'let show xs = xs |> List.map (fun x -> x * 2) |> printfn "%A"\nshow <| [1; 2; 3]',
    ),
    ("F#: what is <|?", '`f <| x` is `f x`; so `printfn "%d" <| 1 + 2` needs no parentheses.'),
    (
        "OCaml pipes",
        "```ocaml\nlet () = [1;2] |> List.iter (fun x -> print_int x)\n```\nThe operator `|>` applies from the left, `@@` from the right.",
    ),
    ("Elixir's alternatives", "`a <|> b` tries `a`, then `b`; in Haskell <|> comes from Alternative."),
    ("Rust closure", "```rust\nlet add = |x: i32| x + 1;\nlet v: Vec<_> = xs.iter().map(|x| x * 2).collect();\n```"),
    ("Rust generics", "Use Option<Box<dyn Fn(i32) -> i32>> for it; a macro may even read <|x|> as tokens."),
    ("Bra-ket notation", "The expectation <|x|> is the mean of |x|, and <|v|> that of the speed."),
    ("C++ templates", "std::map<std::string, std::vector<int>> m; template <typename T> T id(T t) { return t; }"),
    ("Java generics", "List<String> names = new ArrayList<>(); if (a<b && c>d) swap(a, b);"),
    ("Strike a price", "Now only 8 €: <s>10 €</s>"),
    ("Strike a price", "<s>old</s> new, said the sign.</s>".replace(".</s>", ".")),
    ("HTML page", "<!doctype html>\n<html><head><title>t</title></head><body><p>Hi</p></body></html>"),
    ("HTML: mark done tasks", "<ul>\n<li><s>Wash</s></li>\n<li>Cook</li>\n</ul>"),
    ("XML with thoughts", "```xml\n<diary>\n  <thought>It rains</thought>\n</diary>\n```"),
    (
        "Redirect stderr in bash",
        'cat <input.txt 2>&1 | sort >out.txt; while read -r x; do echo "$x"; done <<EOF\na\nEOF',
    ),
    ("Regex with names", r"(?<year>\d{4})-(?<month>\d\d) and [A-Z]{2}|[/\\]"),
    ("Markdown tables", "| a | b |\n|---|---|\n| <br> | [x](y) |"),
    ("Task list", "- [ ] buy milk\n- [x] pay rent\n\n[1]: https://example.org"),
    ("A list in Python", "xs = [[1, 2], [3, 4]]\nprint(xs[0][1] < xs[1][0])"),
    ("Compare numbers", "3 < 4, 4 > 3, and 3 <= 3; also a<b<c."),
    ("Arrows", "A <-> B, A <|-- B (UML inheritance), A <|.. C, x |> y"),
    ("UML in PlantUML", "```plantuml\nAnimal <|-- Dog\nAnimal <|-- Cat\n```"),
    ("Heart", "I <3 you! [INSTALL] the app, read the [TOOLS] page."),
    ("怎么用管道？", "在 F# 里 `x |> f` 等于 `f x`，而 f <| x 则方向相反。"),
    ("写一段 HTML", "<p>原价<s>100元</s>，现价80元。</p>"),
    ("全角竖线怎么打？", "全角竖线是｜，例如：甲｜乙｜丙，<｜ 也可以出现。"),
    ("比较大小", "因为 a<b 且 b<c，所以 a<c。"),
    ("写一个 shell 循环", '```bash\nfor f in *.txt; do wc -l <"$f"; done\n```'),
    ("三角形符号", "◁ 和 ▷ 是三角形，A◁B 表示正规子群。"),
    ("C++ 模板", "vector<pair<int,int>> v; 注意 `>>` 在旧标准里要写成 `> >`。"),
    ("Write a stop list", "```yaml\nstop:\n  - </s>\n  - <|im_end|>\n```"),
    ("A truncated block", 'Here:\n\n```python\nSTOP = ["</s>", "<|eot_id|>"]\nif text.endswith("</think>"):\n    pass'),
    ("A grammar of versions", "An operator is one of (===|==|~=|!=|<=|>=|<|>)."),
    ("A pattern for tags", r"^</?(b|i|u|>)$ or <a|> in a group"),
    ("Write something", r'text.split("\n</think>\n\n", 1)'),
    ("Write something", 'with_type("<|constrain|>json"), stop("<|im_end|>")'),
    ("Write something", "/// the header of a message as\n    /// <|channel|>VALUE (usually)"),
    ("Say hello", "Hello! How can I help you today?"),
    ("打个招呼", "你好！有什么可以帮你的吗？\n\n1. 写作\n2. 翻译"),
]
"""Answers with characters of marks in code, formulas and prose."""
