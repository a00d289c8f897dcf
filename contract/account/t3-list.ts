import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope } from '../wire/envelope.ts'

const t3ListMembership = v.object({ joined: v.boolean() })

/** Joins or leaves the waiting list for the plan of tier T3 (SESSION-05, OPEN-173). */
export const setT3List = call(
  'EXT-t3-list',
  'PUT',
  '/extension/t3-list',
  'extension',
  { request: t3ListMembership, response: envelope(200, t3ListMembership) },
  { nonce: true },
)
