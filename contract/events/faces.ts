import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, timestampMs, text } from '../wire/envelope.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/**
 * Returns one collection of people for each home that the account owns or is a member of, and for each home that shares
 * a camera with the account.
 */
export const listFaceCollections = call('CALL-57', 'GET', '/collection', 'friendly-face', {
  request: v.object({}),
  response: envelope(200, v.object({ collections: v.array(v.object({ collection_id: id, name: text(120) })) })),
})
/**
 * Returns the people of a collection who appear on clips that the account may see, most clips first. Omits hidden
 * people, and ignores clips of cameras whose plan does not include the recognition of people. The list is empty if the
 * account may not see names. 404: the account sees no such collection.
 */
export const listCollectionPeople = call('CALL-58', 'GET', '/collection/{collection_id}/people', 'friendly-face', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({ people: v.array(v.object({ person_id: id, name: text(80), events: count, last_seen: timestampMs })) }),
  ),
})
