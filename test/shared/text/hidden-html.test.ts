import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { removed, stripHtml } from '../../../src/shared/text/hidden-html.js';
import * as htmlTag from '../../../src/shared/text/html-tag.js';
import { dataFile, hasData } from '../../support/data.js';

vi.mock('../../../src/shared/text/html-tag.js', { spy: true });
afterEach(() => {
  vi.clearAllMocks();
});

describe('what HTML hides is taken out', () => {
  test.each([
    ['a decimal entity in a style', '<div style="display&#58;none">secret</div>'],
    ['a hexadecimal one', '<div style="display&#x3A;none">secret</div>'],
    ['a named one', '<div style="display&colon;none">secret</div>'],
    ['one without its semicolon', '<div style="display&#58none">secret</div>'],
    ['every letter as an entity', '<div style="&#100;&#105;splay:&#110;one">secret</div>'],
    ['an entity in a type', '<input type="&#104;idden" value="secret">'],
    ['no quotes', '<div style=display:none>secret</div>'],
    ['single quotes', "<div style='display:none'>secret</div>"],
    ['upper case', '<DIV STYLE="DISPLAY:NONE">secret</DIV>'],
    ['spaces around the sign', '<div style = "display : none" >secret</div >'],
    ['a slash between attributes', '<div/hidden/>secret</div>'],
    ['no space between attributes', '<div class="x"hidden>secret</div>'],
    ['a quote in a bare value', "<div title=it's hidden>secret</div>"],
    ['a lone quote as an attribute', '<div " hidden>secret</div>'],
    ['a `<` as an attribute', '<div < hidden>secret</div>'],
    ['elements within', '<div hidden><div>secret</div>secret</div>'],
    ['a closing tag in a comment within', '<div hidden><!-- </div> -->secret</div>'],
    ['a closing tag in an attribute within', '<div hidden><a href="</div>">secret</a></div>'],
    ['a closing tag in a script within', '<div hidden><script>"</div>"</script>secret</div>'],
    ['a script', '<script>secret</script>'],
    ['a processing instruction', '<?php secret ?>'],
    ['CDATA', '<![CDATA[secret]]>'],
    ['a comment', '<!-- secret -->'],
    ['a declaration', '<!DOCTYPE secret>'],
  ])('%s', (_name, markup) => {
    expect(stripHtml(`before ${markup} after`)).toBe(`before ${removed} after`);
  });

  test.each(['\n<!-- secret', '\n   <!-- secret', '<div hidden>secret', '<p hidden>a</b'])(
    '%j, unclosed: all the rest',
    (markup) => {
      expect(stripHtml(`before ${markup} and after`)).toBe(`before ${markup.replace(/<.*/, '')}${removed}`);
    },
  );

  test.each([
    ...['color:#fff', 'COLOR : White !important', 'color:rgb(255, 254, 253)', 'color:rgba(0,0,0,0)'],
    ...['color:#123;background:#123', 'font-size:1px', 'font-size:.05em', 'opacity:.01', 'opacity: 1%'],
    ...['position:absolute;left:-99px', 'text-indent:-9999em', 'margin:0 0 0 -200px', 'dis/**/play:none'],
  ])('what is styled %s', (style) => {
    expect(stripHtml(`before <span style="${style}">secret</span> after`)).toBe(`before ${removed} after`);
  });

  test.each([
    ...['class="sr-only"', 'class="a visually-hidden b"', 'class=d-none', 'class="screen-reader-text"'],
    ...['hidden', 'style="visibility:hidden"'],
  ])('what has %s', (attribute) => {
    expect(stripHtml(`before <span ${attribute}>secret</span> after`)).toBe(`before ${removed} after`);
  });

  test('what a font has the colour of the page', () => {
    expect(stripHtml('a <font color="#FFFFFF">secret</font> b')).toBe(`a ${removed} b`);
  });

  test.each(['<img src="https://evil.example/?q=1" alt="x">', "<IMG SRC='//evil.example/x'/>", '<img srcset=data:x>'])(
    '%s, as an image of Markdown is',
    (image) => {
      expect(stripHtml(`before ${image} after`)).toBe('before ⟨image⟩ after');
    },
  );

  test.each([
    ['<a href="x" title="secret" class=y>z</a>', '<a href="x" class=y>z</a>'],
    ["<IMG Src=x ALT = 'secret' />", '<IMG Src=x />'],
    ['<a\n  title="secret"\n  href="a&amp;b">', '<a\n  href="a&amp;b">'],
    ['<b title=secret>', '<b>'],
    ['<b data-a="secret"data-b=secret c>', '<b c>'],
    ['</b title="secret">', '</b>'],
  ])('of %s the attributes that hold text, and nothing else', (tag, visible) => {
    expect(stripHtml(`a ${tag} b`)).toBe(`a ${visible} b`);
  });
});

describe('what is no hidden markup stays as it is', () => {
  test.each([
    'a < b && c > d, x<y, <4.17.21, <= 2.0, <-, <>',
    'Map<String, List<Integer>>, std::vector<int>, <T extends List<String>> of(T t)',
    'if (i <n && title <m) return "label" > 0',
    '<b>x</b> <a href="https://e.example/?a=1&amp;b=2">y</a> <br/>',
    '<div style="color&#58;red" class="card">x</div>',
    'Use `<script>` or `<style>` with care.',
    'ends in a tag <a href="x',
    'ends in <',
    `<a ${'x'.repeat(5_000)}>`,
  ])('%s', (text) => {
    expect(stripHtml(text)).toBe(text);
  });
});

describe('a hostile text costs in proportion to its length', () => {
  /** Characters that are read as tags, at most. */
  const read = () =>
    vi.mocked(htmlTag.readTag).mock.calls.reduce((sum, [text, at], nth) => {
      const { value: tag } = vi.mocked(htmlTag.readTag).mock.results[nth] ?? {};
      return sum + (tag === null ? Math.min(htmlTag.maxTagLength, text.length - at) : tag.end - tag.start);
    }, 0);

  const pieces = [
    ...['<', '<a', '<a ', '<a "', '<a "x="', '<a b="', '<a b=\'"', '<a <b>', '<a <b', '<a hidden <b>', '<a href="<'],
    ...['<b hidden>', '<b title="x">', '<script>', '<!--', '<![CDATA[', '<?', '<div hidden><b "x=">', '<b x=&#58;'],
    ...[`${'<a "x="'.repeat(580)}>`, `${'<a '.repeat(1_300)}>`, `${'<a b="'.repeat(599)}>`, '</div hidden "'],
  ];

  test.each(pieces.map((piece) => [piece.slice(0, 20), piece]))('of %j', (_name, piece = '') => {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    stripHtml(text);
    expect(read()).toBeLessThanOrEqual(10 * text.length + 32 * htmlTag.maxTagLength);
  });

  test('and where it can cost no more, the rest is taken out', () => {
    const text = `${`${'<a "x="'.repeat(580)}>`.repeat(50)}<b hidden>secret</b>`;
    expect(stripHtml(text)).not.toContain('secret');
    expect(stripHtml(text).endsWith(removed)).toBe(true);
  });
});

const files = ['ghsa-maven', 'ghsa-npm', 'ghsa-pypi', 'go-vulndb', 'rustsec'];

async function textsOf(file: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const line of createInterface({ input: createReadStream(dataFile(`osv/${file}.ndjson`)) })) {
    if (line.trim() === '') continue;
    const { summary, details } = JSON.parse(line);
    texts.push(...[summary, details].filter((text) => typeof text === 'string' && text.includes('<')));
  }
  return texts;
}

/** All that can hide something. */
const hiding =
  /<[!?]|hidden|style|script|template|noembed|noframes|iframe|object|canvas|audio|video|head|title|datalist|img|alt|label|summary|content|placeholder|value|aria-|data-/i;

/** True of a text that can be made of another by cutting parts out. */
function isCutOutOf(cutText: string, text: string): boolean {
  let at = 0;
  for (const character of cutText.replaceAll(removed, '').replaceAll('⟨image⟩', '')) {
    at = text.indexOf(character, at) + character.length;
    if (at < character.length) return false;
  }
  return true;
}

describe('prose that names markup stays as it is', () => {
  test.each([
    'Parser fails on `<?php` tags. Upgrade to 4.2.1',
    '`<!--` is not escaped, fixed in 1.2.3',
    '<?php in an upload is run',
    'An unclosed <![CDATA[ or <!DOCTYPE ends the parser',
    'XSS by <img src=x onerror=alert(1)>',
    '<p style="color:#333;background:#fff;font-size:12px;margin-left:-4px;opacity:0.5">x</p>',
    '<span style="color:white;background:#000">x</span>',
    '<p class="hidden-xs showing">x</p>',
  ])('%s', (text) => {
    expect(stripHtml(text)).toBe(text);
  });

  test.skipIf(!hasData)('as do the titles of real advisories', async () => {
    const titles: string[] = [];
    for (const file of [...files, 'osv-npm-recent']) {
      for await (const line of createInterface({ input: createReadStream(dataFile(`osv/${file}.ndjson`)) })) {
        const { summary } = line.trim() === '' ? {} : JSON.parse(line);
        if (typeof summary === 'string') titles.push(summary);
      }
    }
    expect(titles.length).toBeGreaterThan(10_000);
    expect(titles.filter((title) => stripHtml(title) !== title)).toEqual([]);
  });
});

describe.skipIf(!hasData)('the texts of real advisories', () => {
  test.each(files)('of %s lose only what can hide', async (file) => {
    const texts = await textsOf(file);
    expect(texts.length).toBeGreaterThan(10);
    const changed = texts.filter((text) => stripHtml(text) !== text);
    expect(changed.filter((text) => !hiding.test(text))).toEqual([]);
    expect(changed.filter((text) => !isCutOutOf(stripHtml(text), text))).toEqual([]);
    expect(changed.length).toBeLessThan(texts.length / 2);
  });
});
