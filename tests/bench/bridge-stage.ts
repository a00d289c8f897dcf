import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { addCamera } from '../../bridge/cameras/camera-file.ts'
import { getRenditionFile, SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import { ADMIN_PATHS, DEMO_HOMES } from '../../contract/operator/operator-calls.ts'
import type { Event } from '../../contract/events/events.ts'
import { prepareBaseData } from '../support/ground.ts'
import { openTestDeployment, type TestDeployment } from '../support/harness.ts'
import { RtspServer } from '../support/rtsp-server.ts'
import { listEvents, listUnplayableEvents } from './clips.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A provider, cameras that serve the scenes over RTSP, and a bridge whose network can be disconnected. */
export interface BridgeTestEnvironment {
  /** Data folder of the bridge. */
  readonly dataFolder: string
  readonly cameras: readonly RtspServer[]
  /** Log lines of all runs of the bridge. */
  readonly lines: string[]
  startBridge(): ChildProcess
  /** `false` cuts all connections to the provider and refuses new ones. */
  setNetwork(isUp: boolean): void
  reopenCamera(index: number): Promise<void>
  listEvents(): Promise<Event[]>
  /** Returns the ids of listed events whose clip cannot be fetched or does not decode completely. */
  listUnplayableEvents(): Promise<string[]>
  close(): Promise<void>
}

export interface BridgeTestEnvironmentOptions {
  readonly cameras: number
  /** Returns the stream that a camera loops. Default: all actions of one scene, each after a quiet loop. */
  readonly reel?: (index: number, library: SceneLibrary) => Promise<Buffer>
  /** Starts the provider that the bridge connects to. Default: the test harness starts a provider. */
  readonly provider?: (root: string, dataFolder: string) => Promise<ProviderDeployment>
}
type ProviderDeployment = Pick<TestDeployment, 'env' | 'seed' | 'close'>

function openHarnessDeployment(): Promise<TestDeployment> {
  prepareBaseData()
  return openTestDeployment()
}

export async function openBridgeTestEnvironment(options: BridgeTestEnvironmentOptions): Promise<BridgeTestEnvironment> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'bridge-stage-'))
  const deployment: ProviderDeployment = await (options.provider?.(root, join(dataFolder, 'provider')) ??
    openHarnessDeployment())
  await deployment.seed()
  const key = randomBytes(32)
  await fetch(`${deployment.env.PROVIDER_ORIGIN}${ADMIN_PATHS.bridges}/bridge_bench`, {
    method: 'PUT',
    headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      key_hash: createHash('sha256').update(key).digest('hex'),
      name: 'Bench',
      homes: [DEMO_HOMES.owner],
    }),
  })
  writeFileSync(
    join(dataFolder, 'bridge.key'),
    JSON.stringify({ bridge_id: 'bridge_bench', key: key.toString('base64url') }),
  )
  const buildReel = options.reel ?? buildSceneReel
  const cameras = await Promise.all(
    Array.from({ length: options.cameras }, async (_, i) => RtspServer.start({ stream: await buildReel(i, library) })),
  )
  for (const [i, camera] of cameras.entries())
    await addCamera(dataFolder, { url: camera.url(), name: `Camera ${i + 1}` })
  const ports = cameras.map((camera) => camera.port)
  const network = await startNetworkProxy(deployment.env.PROVIDER_ORIGIN)
  const lines: string[] = []
  return {
    dataFolder,
    cameras,
    lines,
    startBridge: () => startBridge(dataFolder, network.origin, lines),
    setNetwork: network.set,
    async reopenCamera(index) {
      await cameras[index]?.close()
      cameras[index] = await RtspServer.start({ stream: await buildReel(index, library) }, ports[index])
    },
    listEvents: () => listEvents(deployment.env),
    listUnplayableEvents: () => listUnplayableEvents(deployment.env),
    async close() {
      for (const camera of cameras) await camera.close()
      network.close()
      await deployment.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

const library = await SceneLibrary.open(join(root, 'scenes/'))

async function buildSceneReel(index: number): Promise<Buffer> {
  const scenes = Object.values(library.manifest.scenes)
  const { quiet, actions } = (scenes[index % scenes.length] as (typeof scenes)[number]).lights.day
  const files = actions.flatMap((action) => [quiet, action]).map((clip) => getRenditionFile(clip.files, '360'))
  return Buffer.concat(files.map((file) => readFileSync(join(root, 'scenes', file))))
}

function startBridge(dataFolder: string, provider: string, lines: string[]): ChildProcess {
  const child = spawn(
    process.execPath,
    ['bridge/main.ts', '--provider', provider, '--data', dataFolder, '--no-virtual'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    if (process.argv.includes('--verbose')) console.log(line)
  })
  return child
}

/** Starts a TCP proxy in front of the provider. `set(false)` cuts all connections and refuses new ones. */
async function startNetworkProxy(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isUp = true
  const server = createServer((client) => {
    if (!isUp) return client.destroy()
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => (sockets.delete(from), to.destroy()))
    }
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const set = (state: boolean) => {
    isUp = state
    if (!isUp) for (const socket of sockets) socket.destroy()
  }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, set, close: () => (set(false), server.close()) }
}
