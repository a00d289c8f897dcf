import { expect, test } from 'vitest'
import { signBridgeRequest } from '../../../bridge/uplink/request-signing.ts'

const key = Buffer.alloc(32, 7)

test('a bridge request is signed as the contract specifies', () => {
  const signature = signBridgeRequest(key, 'POST', '/bridge/v1/events?x=1', 1_795_181_435_107, '{"a":1}')
  expect(signature).toBe('acc5b86fe5c6168ca8beec3e7a464f5b06be77f460e6958d864e974dc9fb66b4')
})
