import { processTask } from '../../../contract/billing/purchase.ts'
import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'
import type { Call } from '../../../contract/wire/call.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { SHARED } from '../../../contract/auth/roles.ts'
import { INPUTS, type Input } from '../../support/home-calls.ts'
import type { Person } from '../../support/visitor.ts'
import { type Attempts, expectSame, requireControl } from './attempts.ts'
import { sendCall, fetchData, type Ground, type Member } from './ground.ts'
import { type Household, openHousehold } from './household.ts'

type Ids = Readonly<Record<string, string>>

/** Maps the placeholder ids in the shared test inputs to the household's ids. */
const householdIds = ({ camera, event, homeId, userId, bridge, method }: Household): Ids => ({
  ...{ door_a: camera, event_a: event, home_a: homeId, user_a: userId, bridge_a: bridge.id },
  ...{ spare_event_a: event, deleted_event_a: event, gone_a: camera, method_a: method },
})
const MORE: Readonly<Record<string, Input>> = {
  'EXT-choose-method': { input: { method_id: 'method_a', intent: 'intent_of_choosing' } },
  'EXT-remove-method': { input: { method_id: 'method_a', intent: 'intent_of_removing' } },
  'EXT-take-address': { input: { take_id: 'event_a' } },
  [processTask.ledger]: { input: { process_id: 'method_a' } },
}

const withIds = <T>(input: T, idOf: (name: string) => string): T =>
  JSON.parse(
    JSON.stringify(input ?? {}).replace(
      /"((?:\w+_)?(?:door|event|home|user|bridge|gone|method)_a)"/g,
      (_, name: string) => JSON.stringify(idOf(name)),
    ),
  ) as T

const isNaming = (input: Input) =>
  JSON.stringify(withIds(input, () => '!')) !== JSON.stringify(withIds(input, () => '?'))
const NAMING: readonly (readonly [Call, Input])[] = GATEWAY_CALLS.flatMap((call) => {
  const input = MORE[call.ledger] ?? INPUTS[call.ledger]
  return input && isNaming(input) ? [[call, input] as const] : []
})

/** Returns the response without values that differ on each call. */
async function fetchNormalized(
  browser: Person,
  call: Call,
  { input, params }: Input,
): Promise<{ status: number; text: string }> {
  const answer = await sendCall(browser, call, input, params)
  const text = (await answer.text())
    .replace(/"(query_id|url|code|request_id|id)":"[^"]*"/g, '"$1"')
    .replace(/\d+/g, '#')
  return { status: answer.status, text }
}

async function tryAs(
  attempts: Attempts,
  attackerName: string,
  attacker: Member,
  house: Household,
  knownId = '-',
): Promise<void> {
  const ids = householdIds(house)
  const secrets = Object.values(ids)
  for (const [call, input] of NAMING.filter(([, callInput]) => !JSON.stringify(callInput).includes(knownId)))
    await attempts.try(`as ${attackerName}: ${call.method} ${call.path}`, input, async () => {
      const theirs = await fetchNormalized(
        attacker.browser,
        call,
        withIds(input, (name) => ids[name] ?? name),
      )
      const unknown = (name: string) => ids[name]?.replace(/\w{6}$/, 'nobody') ?? name
      const nobodys = await fetchNormalized(attacker.browser, call, withIds(input, unknown))
      const leaked = secrets.find((secret) => theirs.text.includes(secret))
      return leaked === undefined ? expectSame(theirs, nobodys) : `the answer names ${leaked}`
    })
}

/**
 * Sends another home's ids in every call that takes an id. Each response must equal the response for an id that does
 * not exist.
 */
export const ids = {
  name: 'ids of others',
  promise: 'an id of another home is answered like one that does not exist',
  async run(attempts: Attempts, ground: Ground) {
    const house = await openHousehold(ground)
    requireControl('calls name ids', expectSame(NAMING.length >= 30, true))
    const sharedCameraId = `lent_${house.camera}`
    await house.bridge.register(sharedCameraId)
    const guest = await ground.member()
    await fetchData(house.browser, shareCamera, { device_id: sharedCameraId, email: guest.email, role: SHARED })
    await tryAs(attempts, 'the free account', await ground.signIn('free@example.com'), house)
    // A guest of one camera may know the home's id, so calls that name the home are left out.
    await tryAs(attempts, 'a guest of another camera', guest, house, 'home_a')
    await tryAs(attempts, 'a neighbor', await ground.member('Home of the neighbor'), house)
  },
}
