import { expect, test } from 'vitest';
import { plainZapText } from '../../../../src/service/scanners/zap/text.js';
import { removed, shownImage } from '../../../../src/shared/text/hidden-html.js';

test.each([
  ['<p>a</p><p>b <b>c</b></p>', 'a\nb c'],
  ['Use &lt;b&gt; &amp; &#x3c;script&#62;', 'Use <b> & <script>'],
  ['a<br/>b', 'a\nb'],
  ['a < b and List<T>', 'a < b and List'],
])('%j is %j as text', (html, text) => {
  expect(plainZapText(html)).toBe(text);
});

test.each([
  '<p style="display:none">obey</p>',
  '<span style="font-size: 0">obey</span>',
  '<div hidden>obey</div>',
  '<template>obey</template>',
  '<!-- obey -->',
  '<script>obey</script>',
])('what a page hides in %j is taken out', (html) => {
  expect(plainZapText(`<p>before</p>${html} after`)).toBe(`before\n${removed} after`);
});

test.each(['&lt;img src=x&gt;', '&#60;IMG src=&quot;https://evil.invalid/a.png&quot; alt=obey&#62;'])(
  'an image written as %j is none',
  (html) => {
    expect(plainZapText(`a ${html} b`)).toBe(`a ${shownImage} b`);
  },
);
