import { afterAll, beforeAll, expect, test } from 'vitest'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { changeAccess } from '../../../../provider/platform/auth/change-access.ts'
import type { CountedObject } from '../../../support/billed-work/billed-work.ts'
import { addAccount, openNeighborhood, type Account, type Neighborhood } from '../../../support/home.ts'
import { withoutDatabase } from '../../../support/unavailable-database.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({ countsWork: true })
})
afterAll(() => neighborhood.close())

const readStatus = async (account: Account) => (await neighborhood.call(account, userMe)).status
/** Deletes the account's tokens without a change. The quoted name hides the write from `createTestBindings`. */
const deleteTokens = ({ DB }: Neighborhood['bindings'], { userId }: Account) =>
  DB.prepare('DELETE FROM "oidc" WHERE account_id = ?').bind(userId).run()

test('if the provider restarts during a change and the writer then crashes, no old right outlives the write', async () => {
  const { bindings, stage } = neighborhood
  const crashed = await addAccount(bindings, 'crashed')
  const cleaned = await addAccount(bindings, 'cleaned')
  const finished = await addAccount(bindings, 'finished')
  for (const { userId } of [crashed, cleaned]) await bindings.GUARDS.getByName(userId).startChange('crashed')
  // The cleanup of used nonces deletes the whole storage if nothing is left in it.
  await (bindings.GUARDS.getByName(cleaned.userId) as unknown as CountedObject).runAlarm()
  await changeAccess(bindings, [finished.userId], () => Promise.resolve())
  await stage.provider.restart({ ...stage.env })
  const restarted = (await stage.provider.getWorker().getEnv()) as Neighborhood['bindings']
  for (const account of [crashed, cleaned, finished]) expect(await readStatus(account)).toBe(200)
  expect(await withoutDatabase(restarted, () => readStatus(finished))).toBe(200)
  for (const account of [crashed, cleaned]) {
    await deleteTokens(restarted, account)
    expect(await readStatus(account)).toBe(401)
  }
})
