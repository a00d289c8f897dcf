import { expect, test } from 'vitest'
import { parseEnvelope } from '../../support/envelope-sink.ts'

const read = (text: string) => parseEnvelope(Buffer.from(text))

test('an envelope consists of a header and items, each with a header and a payload', () => {
  expect(read('{"sdk":{}}\n{"type":"event"}\n{"a":1}\n{"type":"transaction","length":10}\n{"b":"ü"}')).toEqual([
    { type: 'event', event: { a: 1 } },
    { type: 'transaction', event: { b: 'ü' } },
  ])
  expect(read('{}\n{"type":"event"}\n{"a":1}\n')).toEqual([{ type: 'event', event: { a: 1 } }])
})

test.each(['', 'no JSON\n{}', '{}\n{"type":"event"}', '{}\n{"type":"event"}\nno JSON'])(
  '%j is not an envelope',
  (text) => {
    expect(read(text)).toBeNull()
  },
)
