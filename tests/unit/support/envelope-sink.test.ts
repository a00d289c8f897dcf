import { expect, test } from 'vitest'
import { parseEnvelope } from '../../support/envelope-sink.ts'

const parseText = (text: string) => parseEnvelope(Buffer.from(text))

test('an envelope consists of a header and items, each with a header and a payload', () => {
  expect(parseText('{"sdk":{}}\n{"type":"event"}\n{"a":1}\n{"type":"transaction","length":10}\n{"b":"ü"}')).toEqual([
    { type: 'event', event: { a: 1 } },
    { type: 'transaction', event: { b: 'ü' } },
  ])
  expect(parseText('{}\n{"type":"event"}\n{"a":1}\n')).toEqual([{ type: 'event', event: { a: 1 } }])
})

test.each(['', 'no JSON\n{}', '{}\n{"type":"event"}', '{}\n{"type":"event"}\nno JSON'])(
  '%j is not an envelope',
  (text) => {
    expect(parseText(text)).toBeNull()
  },
)
