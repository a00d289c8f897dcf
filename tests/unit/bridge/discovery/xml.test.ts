import { describe, expect, test } from 'vitest'
import { measureGrowth } from '../../../support/work-counter.ts'
import { getAttribute, findElements, getElementText } from '../../../../bridge/discovery/xml.ts'

const listContents = (xml: string, name: string, max?: number) =>
  findElements(xml, name, max).map(({ content }) => content)

describe('ONVIF response elements', () => {
  test.each([
    ['with any prefix or none', '<a:Uri>1</a:Uri><Uri>2</Uri><b.c-d:Uri x="y">3</b.c-d:Uri>', ['1', '2', '3']],
    ['with a name that only contains the requested name', '<Uris>1</Uris><XUri>2</XUri>', []],
    ['nested in each other, only the outer one', '<M><a/><M>1</M></M><M>2</M>', ['<a/><M>1</M>', '2']],
    ['without content', '<M/><M x="1" /><M></M>', ['', '', '']],
    [
      'after a comment, a CDATA section and a declaration',
      '<!--<M>1</M>--><![CDATA[<M>2</M>]]><?x <M>?><!X><M>3</M>',
      ['3'],
    ],
    ['that are not closed', '<M>1<M>2', []],
    ['after closing tags without an opening tag', '</M></M><M>1</M>', ['1']],
  ])('%s', (_, xml, contents) => {
    const name = xml.includes('Uri') ? 'Uri' : 'M'
    expect(listContents(xml, name)).toEqual(contents)
  })

  test('are limited to the requested number, and to 64 by default', () => {
    const xml = '<M>1</M>'.repeat(100)
    expect(findElements(xml, 'M', 16)).toHaveLength(16)
    expect(findElements(xml, 'M')).toHaveLength(64)
  })

  test('have the attributes of their opening tag', () => {
    const [element] = findElements(`<m:P fixed = 'a=b' mytoken="no" token="P&amp;1" x:token="2">1</m:P>`, 'P')
    expect(element && ['fixed', 'token', 'mytoken', 'none'].map((name) => getAttribute(element, name))).toEqual([
      'a=b',
      'P&1',
      'no',
      undefined,
    ])
  })

  test('decode the five XML entities once', () => {
    expect(getElementText('<Uri> rtsp://a/?b&amp;c&amp;lt;&lt;&gt;&quot;&apos; </Uri>', 'Uri')).toBe(
      `rtsp://a/?b&c&lt;<>"'`,
    )
  })

  test.each([
    ['opening tags', '<a:Media>'],
    ['tags without an end', '<Media'],
    ['tag openers', '<'],
    ['comment openers', '<!--'],
    ['CDATA openers', '<![CDATA['],
    ['attributes', '<Media token="a">'],
    ['equals signs', '<Media a=a=a='],
    ['colons', '<a:a:a:Media '],
    ['opening and closing tags', '<Media></Media>'],
  ])('take time linear in the text length: %s', async (_, piece) => {
    const read = (times: number) => {
      for (const element of findElements(`${piece.repeat(times)}<x>`, 'Media')) getAttribute(element, 'none')
      getAttribute({ attributes: piece.repeat(times) }, 'none')
    }
    expect(await measureGrowth(read, 1000)).toBeLessThan(5)
  })
})
