import * as v from 'valibot'
import { accountList, ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { TestBridge } from './home.ts'
import { RESULTS_FOLDER } from './results.ts'

let bridgeCount = 0

export interface NewCameras {
  readonly bridge: TestBridge
  readonly getDeviceId: (name: string) => string
  readonly add: (name: string) => Promise<void>
}

/** Adds a new bridge and cameras with these names to the first home of an account. The cameras have no events. */
export async function addNewCameras(email: string, names: readonly string[]): Promise<NewCameras> {
  const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
  const operator = { PROVIDER_ORIGIN, ADMIN_KEY }
  const { accounts } = v.parse(accountList, await callOperator(operator, 'GET', ADMIN_PATHS.accounts)).data
  const [home] = accounts.find((account) => account.email === email.toLowerCase())?.homes ?? []
  if (!home) throw new Error(`${email} has no home.`)
  const uniqueSuffix = `${Date.now()}_${(bridgeCount += 1)}`
  const bridge = new TestBridge(PROVIDER_ORIGIN, `bridge_${uniqueSuffix}`)
  await callOperator(operator, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, {
    key_hash: bridge.keyHash,
    name: 'Bridge of a test',
    homes: [home.home_id],
  })
  const toDeviceId = (name: string) => `${name.replaceAll(/\W/g, '_')}_${uniqueSuffix}`.slice(0, 40)
  let order = 0
  const add = async (name: string) => {
    await bridge.register(toDeviceId(name), { nickname: name, device_order: (order += 1) })
  }
  for (const name of names) await add(name)
  return { bridge, getDeviceId: toDeviceId, add }
}
