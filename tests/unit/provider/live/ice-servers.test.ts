import { expect, test } from 'vitest'
import type { Env } from '../../../../provider/env.ts'
import { parseIceServers } from '../../../../provider/live/ice-servers.ts'

const parseServers = (ICE_SERVERS?: string) => parseIceServers({ ICE_SERVERS } as Env)

test('viewers get no ICE servers unless the provider is configured with some', () => {
  expect([parseServers(), parseServers('')]).toEqual([[], []])
})

test('configured ICE servers are passed on unchanged', () => {
  const turn = { urls: ['turn:turn.example:3478'], username: 'u', credential: 'c' }
  expect(parseServers(JSON.stringify([turn]))).toEqual([turn])
})

test('malformed ICE servers are rejected, not sent, with an error that does not contain them', () => {
  for (const malformed of ['[{"urls":"turn:secret.example"}]', 'secret', '[{"urls":["turn:a"],"credential":"secret"]'])
    expect(() => parseServers(malformed)).toThrow(/^ICE_SERVERS isn’t a JSON array of (?!.*secret)/)
})
