import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, ms, text } from '../wire/envelope.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The collections of known faces that the account may see: one for each home of which it sees a camera. */
export const collections = call('CALL-57', 'GET', '/collection', 'friendly-face', {
  request: v.object({}),
  response: envelope(200, v.object({ collections: v.array(v.object({ collection_id: id, name: text(120) })) })),
})
/** The people of a collection, the most seen first, as far as the account's cameras have seen them. 404: no such collection. */
export const people = call('CALL-58', 'GET', '/collection/{collection_id}/people', 'friendly-face', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({ people: v.array(v.object({ person_id: id, name: text(80), events: count, last_seen: ms })) }),
  ),
})
