import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBridgeTestEnvironment, type BridgeTestEnvironment } from './bridge-stage.ts'
import { openProviderProcess, type ProviderProcess } from './provider-process.ts'
import { checkRecordings, listDiskRecordings, buildShortStream, waitForKillMoment } from './recordings.ts'

const KILL_TARGETS = ['bridge', 'provider', 'both'] as const

export interface CrashTestOutcome {
  readonly rounds: number
  readonly holds: boolean
  readonly sentence: string
}

interface CrashTest {
  readonly environment: BridgeTestEnvironment
  readonly provider: ProviderProcess
  /** Ids of events that were in the upload queue at a kill, or in a journal when the bridge was killed. */
  readonly durableIds: Set<string>
}

/**
 * In each of `rounds` rounds, kills the bridge, the provider or both. After the last round, lets the bridge finish its
 * uploads and checks the events with `checkRecordings`. Starts no further round after performance.now() has reached
 * `deadline`.
 */
export async function runBridgeCrashTest(rounds: number, deadline = Infinity): Promise<CrashTestOutcome> {
  let provider: ProviderProcess | undefined
  const environment = await openBridgeTestEnvironment({
    cameras: 2,
    reel: buildShortStream,
    provider: async (root, data) => (provider = await openProviderProcess(root, data)),
  })
  if (!provider) throw new Error('The bridge stage did not start a provider.')
  const crashTest: CrashTest = { environment, provider, durableIds: new Set() }
  const counts = { bridge: 0, provider: 0, both: 0, recording: 0, waiting: 0 }
  let bridge = environment.startBridge()
  let providerUp = Promise.resolve()
  let round = 0
  for (; round < rounds && performance.now() < deadline; round++) {
    const target = KILL_TARGETS[Math.floor(Math.random() * KILL_TARGETS.length)] ?? 'both'
    if (target !== 'bridge') await providerUp
    await waitForKillMoment(environment.dataFolder)
    if (target !== 'provider') await killChild(bridge)
    if (target !== 'bridge') providerUp = restart(provider)
    const { journals, entries } = listDiskRecordings(environment.dataFolder)
    counts[target]++
    if (journals.length > 0) counts.recording++
    if (entries.length > 0) counts.waiting++
    for (const id of entries) crashTest.durableIds.add(id)
    if (target === 'provider') continue
    for (const id of journals) crashTest.durableIds.add(id)
    bridge = environment.startBridge()
  }
  await providerUp
  const isFinished = await finishRecordings(crashTest, bridge)
  const { dataFolder, lines } = environment
  const events = (await environment.listEvents()).map((event) => event.event_id)
  const verdict = checkRecordings({
    dataFolder,
    lines,
    durableIds: crashTest.durableIds,
    listedIds: events,
    unplayableIds: await environment.listUnplayableEvents(),
    isQueueEmpty: isFinished,
  })
  await environment.close()
  const killSummary = `${round} kills (${counts.bridge} of the bridge, ${counts.provider} of the provider, ${counts.both} of both; ${counts.recording} while a journal was open, ${counts.waiting} while clips waited)`
  return { rounds: round, holds: verdict.holds, sentence: `${killSummary}: ${verdict.sentence}` }
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function restart(provider: ProviderProcess): Promise<void> {
  await provider.kill()
  await provider.start()
}

/**
 * Closes the cameras, restarts the bridge and waits until it has uploaded all recordings. Returns false if the uploads
 * take more than two minutes.
 */
async function finishRecordings({ environment }: CrashTest, bridge: ChildProcess): Promise<boolean> {
  await killChild(bridge)
  for (const camera of environment.cameras) await camera.close()
  const lastBridge = environment.startBridge()
  const countPending = () => {
    const { journals, entries } = listDiskRecordings(environment.dataFolder)
    return journals.length + entries.length
  }
  const end = performance.now() + 120_000
  while (countPending() > 0 && performance.now() < end) await sleep(200)
  // The bridge logs a delivery shortly after the recording has left the queue.
  await sleep(1000)
  lastBridge.kill('SIGTERM')
  await once(lastBridge, 'exit')
  return countPending() === 0
}
