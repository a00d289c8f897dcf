import { ADMIN_PATHS, accountList } from '../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS, type BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import { DAY_MS } from '../../contract/time-units.ts'
import * as v from 'valibot'
import type { Env } from '../../provider/env.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import type { TestDeployment } from '../support/harness.ts'
import { TestBridge } from '../support/home.ts'
import { buildSceneEvents } from './search-quality.ts'

export const EVENTS_PER_HOME = 1000
export const CAMERAS_PER_HOME = 4
/** Days over which the events of a home are spread. The plan of the homes keeps them longer. */
const EVENT_SPAN_DAYS = 25
/** Homes that are created at the same time. */
const CONCURRENCY = 3
const PASSWORD = 'long enough for a benchmark'

export interface BenchHome {
  readonly email: string
  readonly password: string
  readonly cameras: readonly string[]
}

type Scenes = Awaited<ReturnType<typeof buildSceneEvents>>

/** Creates homes with an account, a bridge, cameras and described events. Call `create` for each stage. */
export class BenchHomes {
  readonly homes: BenchHome[] = []
  readonly #deployment: TestDeployment
  readonly #scenes: Scenes

  static async open(deployment: TestDeployment): Promise<BenchHomes> {
    return new BenchHomes(deployment, await buildSceneEvents())
  }

  private constructor(deployment: TestDeployment, scenes: Scenes) {
    this.#deployment = deployment
    this.#scenes = scenes
  }

  /** Creates homes until there are `count`. */
  async createUntil(count: number): Promise<void> {
    const numbers = Array.from({ length: count - this.homes.length }, (_, n) => this.homes.length + n)
    await runConcurrently(numbers, (n) => this.#createAccount(n))
    const homeIds = await this.#readHomeIds()
    // Only demo homes accept a batch of past events.
    const { DB } = (await this.#deployment.provider.getWorker().getEnv()) as Env
    await DB.prepare('UPDATE homes SET demo = 1').run()
    await runConcurrently(numbers, (n) => this.#fillHome(n, homeIds.get(formatEmail(n)) ?? ''))
    await DB.prepare('UPDATE homes SET demo = 0').run()
  }

  /** Returns `count` homes, evenly spread. With fewer homes than `count`, homes repeat. */
  selectEvenly(count: number): BenchHome[] {
    const step = Math.max(1, this.homes.length / count)
    return Array.from({ length: count }, (_, n) => this.homes[Math.floor(n * step) % this.homes.length]).filter(
      (home) => home !== undefined,
    )
  }

  async #createAccount(n: number): Promise<void> {
    const account = { email: formatEmail(n), password: PASSWORD, home: `House ${n}` }
    await callOperator(this.#deployment.env, 'POST', ADMIN_PATHS.accounts, account)
  }

  async #readHomeIds(): Promise<ReadonlyMap<string, string>> {
    const list = v.parse(accountList, await callOperator(this.#deployment.env, 'GET', ADMIN_PATHS.accounts))
    return new Map(list.data.accounts.map(({ email, homes: [home] }) => [email, home?.home_id ?? '']))
  }

  async #fillHome(n: number, homeId: string): Promise<void> {
    const { env } = this.#deployment
    const bridge = new TestBridge(env.PROVIDER_ORIGIN, `bridge_homes_${n}`)
    const enrollment = { key_hash: bridge.keyHash, name: 'Bench', homes: [homeId] }
    await callOperator(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrollment)
    const cameras = this.#scenes.cameras.slice(0, CAMERAS_PER_HOME)
    for (const [at, { device_id, name }] of cameras.entries())
      checkStatus(await bridge.register(formatCamera(n, device_id), { nickname: name, device_order: at }))
    for (const [at, { device_id }] of cameras.entries()) {
      const events = this.#buildEvents(n, device_id, at)
      checkStatus(await bridge.send('POST', BRIDGE_PATHS.history, { device_id: formatCamera(n, device_id), events }))
    }
    this.homes[n] = {
      email: formatEmail(n),
      password: PASSWORD,
      cameras: cameras.map(({ device_id }) => formatCamera(n, device_id)),
    }
  }

  /** Builds the events of one camera. The events of the cameras alternate. */
  #buildEvents(n: number, scene: string, cameraAt: number): BridgeEvent[] {
    const templates = this.#scenes.events.filter(({ device_id }) => device_id === scene)
    const intervalMs = (EVENT_SPAN_DAYS * DAY_MS) / EVENTS_PER_HOME
    const newestAt = Date.now() - 60_000
    return Array.from({ length: EVENTS_PER_HOME / CAMERAS_PER_HOME }, (_, at) => {
      const template = templates[at % templates.length]
      if (!template) throw new Error(`The scene ${scene} contains no action.`)
      const event_ts = Math.round(newestAt - (at * CAMERAS_PER_HOME + cameraAt) * intervalMs)
      const event_id = `homes_${n}_${cameraAt}_${at}`
      return { ...template, event_id, device_id: formatCamera(n, scene), event_ts, event_resources: [] }
    })
  }
}

const formatEmail = (n: number) => `owner${n}@bench.example.com`
const formatCamera = (n: number, scene: string) => `homes_${n}_${scene}`

function checkStatus({ status, body }: { readonly status: number; readonly body: unknown }): void {
  if (status !== 200) throw new Error(`The provider returned ${status}: ${JSON.stringify(body)}`)
}

/** Runs the action for all values, `CONCURRENCY` at a time, in order. */
export async function runConcurrently<T>(values: readonly T[], action: (value: T) => Promise<void>): Promise<void> {
  const iterator = values.values()
  const work = async () => {
    for (const value of iterator) await action(value)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}
