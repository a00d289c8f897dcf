import './runtime/v8-memory.ts'
import { flushCompileCache } from 'node:module'
import { Readable } from 'node:stream'
import { readText } from '../contract/wire/body-limits.ts'
import { parseBridgeArguments, type BridgeCommand } from './runtime/command-line.ts'
import { BridgeProgram } from './bridge.ts'
import { parseCameraList } from './cameras/parse-camera-list.ts'
import type { ManagedCamera } from './cameras/managed-camera.ts'
import { addCamera, readCameras, removeStoredCamera, type NewCameraInput } from './cameras/camera-file.ts'
import { printDiscoveredCameras } from './discovery/discover-command.ts'
import { diagnoseCameras, NO_CAMERAS_TEXT } from './diagnostics/doctor.ts'
import { reportInternalError, setInternalErrorListener } from './runtime/internal-errors.ts'
import { waitForTeardowns } from './sources/rtsp-camera-socket.ts'
import { enrollBridge } from './uplink/enroll.ts'
import { READ_BYTES_MAX } from './limits.ts'
import { maskCredentials, getErrorMessage, enableTimestamps } from './runtime/log.ts'
import { ErrorReporter, shouldReportTo } from './uplink/error-reports.ts'
import { answerHealthChecks } from './runtime/health-check.ts'
import { ManagedVirtualCamera } from './virtual/virtual-camera.ts'
import { watchVisitRequests } from './virtual/visit-requests.ts'

const print = (line: string) => void process.stdout.write(`${maskCredentials(line)}\n`)

function readStandardInput(): Promise<string> {
  return readText(
    {
      headers: new Headers(),
      body: Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>,
    },
    READ_BYTES_MAX.settings,
  )
}

async function readInputLines(): Promise<string[]> {
  return (await readStandardInput()).split('\n').flatMap((line) => line.trim() || [])
}

async function addAndPrintCamera(data: string, options: NewCameraInput): Promise<void> {
  const camera = await addCamera(data, options)
  print(`Saved ${camera.name} (${camera.device_id}).`)
}

function startVisit(managedCamera: ManagedCamera | undefined): boolean {
  if (!(managedCamera instanceof ManagedVirtualCamera)) return false
  managedCamera.recordVisit()
  return true
}

/**
 * With `-`, reads the address from standard input. The address contains a password, and other users of this computer can
 * see program arguments.
 */
async function addCameraFromCommand(command: Extract<BridgeCommand, { command: 'add-camera' }>): Promise<void> {
  const [url = '', sub = command.sub] = command.url === '-' ? await readInputLines() : [command.url]
  await addAndPrintCamera(command.data, { ...command, url, sub })
}

async function listCameras(data: string): Promise<void> {
  const { cameras } = await readCameras(data)
  if (cameras.length === 0) print(NO_CAMERAS_TEXT)
  for (const { device_id: id, name, url } of cameras) print(`${id}  ${name}  ${url}`)
}

async function execute(command: BridgeCommand): Promise<void> {
  if (command.command === 'help') return void process.stdout.write(`${command.text}\n`)
  if (command.command === 'list-cameras') return listCameras(command.data)
  if (command.command === 'add-camera') return addCameraFromCommand(command)
  if (command.command === 'add-cameras') {
    for (const camera of parseCameraList(await readStandardInput())) await addAndPrintCamera(command.data, camera)
    return
  }
  if (command.command === 'remove-camera') {
    const removed = await removeStoredCamera(command.data, command.which)
    return print(`Removed ${removed.map((camera) => camera.name).join(', ')}.`)
  }
  if (command.command === 'enroll') {
    await enrollBridge(command.provider, command.data, command.code, command.name)
    return print(
      `The hub ${command.name} is registered. To start the hub, run: node scripts/bridge.mjs --provider ${command.provider} --data ${command.data}`,
    )
  }
  if (command.command === 'doctor') {
    const [url] = command.url === '-' ? await readInputLines() : [command.url]
    process.exitCode = (await diagnoseCameras(url, command.data, print)) ? 0 : 1
    return
  }
  if (command.command === 'discover') {
    const [name, password = ''] = command.asksForUser ? await readInputLines() : []
    process.exitCode =
      (await printDiscoveredCameras(name === undefined ? undefined : { name, password }, print)) > 0 ? 0 : 1
    return
  }
  enableTimestamps()
  const bridge = await BridgeProgram.open(command.options)
  if (shouldReportTo(command.options.provider, process.env['BRIDGE_REPORTS'])) {
    const reports = new ErrorReporter(bridge.client)
    setInternalErrorListener((task, error) => reports.report(task, error))
  }
  bridge.start()
  if (command.options.visits === 'none')
    watchVisitRequests(command.options.dataFolder, (id) => startVisit(bridge.managedCameras.get(id)))
  answerHealthChecks()
  // Writes the compile cache now, because a bridge that is killed later cannot write it. The cache speeds up the next
  // start.
  flushCompileCache()
  const shutDown = () =>
    void bridge
      .stop()
      .then(waitForTeardowns)
      .finally(() => process.exit(0))
  process.once('SIGTERM', shutDown)
  process.once('SIGINT', shutDown)
}

// A fault in one connection must not stop the other cameras.
process.on('unhandledRejection', (error) =>
  reportInternalError('bridge', 'Continuing after an unexpected error', error),
)

try {
  await execute(parseBridgeArguments(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${maskCredentials(getErrorMessage(error))}\n`)
  process.exitCode = 1
}
