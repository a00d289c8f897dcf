import { getPurchaseTask } from '../../../contract/billing/purchase.ts'
import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'
import type { Call } from '../../../contract/wire/call.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { SHARED_ROLE } from '../../../contract/auth/roles.ts'
import { CALL_INPUTS, type CallInput } from '../../support/home-calls.ts'
import type { VisitorWithAddress } from '../../support/visitor.ts'
import { type Attempts, expectEqual, requireControl } from './attempts.ts'
import { sendCall, fetchData, type AttackEnvironment, type Member } from './attack-environment.ts'
import { type Household, createHousehold } from './household.ts'

type IdMap = Readonly<Record<string, string>>

/** Maps the placeholder ids in the shared test inputs to the household's ids. */
const mapHouseholdIds = ({ camera, event, homeId, userId, bridge, method }: Household): IdMap => ({
  door_a: camera,
  event_a: event,
  home_a: homeId,
  user_a: userId,
  bridge_a: bridge.id,
  spare_event_a: event,
  deleted_event_a: event,
  gone_a: camera,
  method_a: method,
})
const EXTRA_INPUTS: Readonly<Record<string, CallInput>> = {
  'EXT-choose-method': { input: { method_id: 'method_a', intent: 'intent_of_choosing' } },
  'EXT-remove-method': { input: { method_id: 'method_a', intent: 'intent_of_removing' } },
  'EXT-take-address': { input: { take_id: 'event_a' } },
  [getPurchaseTask.ledger]: { input: { process_id: 'method_a' } },
}

const replaceIds = <T>(input: T, getId: (name: string) => string): T =>
  JSON.parse(
    JSON.stringify(input ?? {}).replace(
      /"((?:\w+_)?(?:door|event|home|user|bridge|gone|method)_a)"/g,
      (_, name: string) => JSON.stringify(getId(name)),
    ),
  ) as T

const takesHouseholdId = (input: CallInput) =>
  JSON.stringify(replaceIds(input, () => '!')) !== JSON.stringify(replaceIds(input, () => '?'))
const CALLS_WITH_IDS: readonly (readonly [Call, CallInput])[] = GATEWAY_CALLS.flatMap((call) => {
  const input = EXTRA_INPUTS[call.ledger] ?? CALL_INPUTS[call.ledger]
  return input && takesHouseholdId(input) ? [[call, input] as const] : []
})

/**
 * Returns status and text of the response. Removes field values that differ on each call, and replaces each number by
 * `#`.
 */
async function fetchNormalized(
  browser: VisitorWithAddress,
  call: Call,
  { input, params }: CallInput,
): Promise<{ status: number; text: string }> {
  const answer = await sendCall(browser, call, input, params)
  const text = (await answer.text())
    .replace(/"(query_id|url|code|request_id|id)":"[^"]*"/g, '"$1"')
    .replace(/\d+/g, '#')
  return { status: answer.status, text }
}

async function tryForeignIds(
  attempts: Attempts,
  attackerName: string,
  attacker: Member,
  household: Household,
  skippedId = '-',
): Promise<void> {
  const ids = mapHouseholdIds(household)
  const householdSecrets = Object.values(ids)
  for (const [call, input] of CALLS_WITH_IDS.filter(([, callInput]) => !JSON.stringify(callInput).includes(skippedId)))
    await attempts.try(`as ${attackerName}: ${call.method} ${call.path}`, input, async () => {
      const foreignResponse = await fetchNormalized(
        attacker.browser,
        call,
        replaceIds(input, (name) => ids[name] ?? name),
      )
      const toUnknownId = (name: string) => ids[name]?.replace(/\w{6}$/, 'nobody') ?? name
      const unknownResponse = await fetchNormalized(attacker.browser, call, replaceIds(input, toUnknownId))
      const leaked = householdSecrets.find((secret) => foreignResponse.text.includes(secret))
      return leaked === undefined ? expectEqual(foreignResponse, unknownResponse) : `the response contains ${leaked}`
    })
}

/**
 * Sends another home's ids in every call that takes an id. The response must equal the response for an id that does not
 * exist.
 */
export const foreignIdAttacks = {
  name: 'ids of other homes',
  guarantee: 'an id of another home gets the same response as an id that does not exist',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const household = await createHousehold(environment)
    requireControl('the contract has calls that take ids', expectEqual(CALLS_WITH_IDS.length >= 30, true))
    const sharedCameraId = `lent_${household.camera}`
    await household.bridge.register(sharedCameraId)
    const guest = await environment.createMember()
    await fetchData(household.browser, shareCamera, {
      device_id: sharedCameraId,
      email: guest.email,
      role: SHARED_ROLE,
    })
    await tryForeignIds(attempts, 'the free account', await environment.signIn('free@example.com'), household)
    // A guest of one camera may know the home's id, so this attack leaves out calls that name the home.
    await tryForeignIds(attempts, 'a guest of another camera', guest, household, 'home_a')
    await tryForeignIds(attempts, 'a neighbor', await environment.createMember('Home of the neighbor'), household)
  },
}
