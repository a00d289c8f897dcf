import './runtime/v8-memory.ts'
import { flushCompileCache } from 'node:module'
import { Readable } from 'node:stream'
import { readText } from '../contract/wire/body-limits.ts'
import { parseBridgeArguments, type Command } from './runtime/command-line.ts'
import { BridgeProgram } from './bridge.ts'
import { cameraLines } from './cameras/parse-camera-list.ts'
import type { ManagedCamera } from './cameras/managed-camera.ts'
import { addCamera, removeStoredCamera, type NewCameraInput } from './cameras/camera-file.ts'
import { discover } from './discovery/discover-command.ts'
import { examine } from './diagnostics/doctor.ts'
import { reportInternalError, onFault } from './runtime/internal-errors.ts'
import { linesEnded } from './sources/rtsp-line.ts'
import { requestEnrollment } from './uplink/enroll.ts'
import { READ_MAX } from './limits.ts'
import { maskCredentials, getErrorMessage, stampLines } from './runtime/log.ts'
import { FailureReports, isReportingTo } from './uplink/error-reports.ts'
import { answerSupervisor } from './runtime/health-check.ts'
import { VirtualCameraUnit } from './virtual/virtual-camera.ts'
import { watchVisitOrders } from './virtual/visit-orders.ts'

const print = (line: string) => void process.stdout.write(`${maskCredentials(line)}\n`)

function readInput(): Promise<string> {
  return readText(
    {
      headers: new Headers(),
      body: Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>,
    },
    READ_MAX.settings,
  )
}

async function inputLines(): Promise<string[]> {
  return (await readInput()).split('\n').flatMap((line) => line.trim() || [])
}

async function add(data: string, options: NewCameraInput): Promise<void> {
  const camera = await addCamera(data, options)
  print(`${camera.name} (${camera.device_id}) is in the list of cameras.`)
}

/** Makes a virtual camera record a visit. Returns false if there is no such camera yet. */
function hasVisit(unit: ManagedCamera | undefined): boolean {
  if (!(unit instanceof VirtualCameraUnit)) return false
  unit.visit()
  return true
}

async function execute(command: Command): Promise<void> {
  if (command.command === 'add-camera') {
    // Other users of this machine can read arguments: `-` reads the address, which holds a password, from standard
    // input.
    const [url = '', sub = command.sub] = command.url === '-' ? await inputLines() : [command.url]
    return add(command.data, { ...command, url, sub })
  }
  if (command.command === 'add-cameras') {
    for (const camera of cameraLines(await readInput())) await add(command.data, camera)
    return
  }
  if (command.command === 'remove-camera') {
    const removed = await removeStoredCamera(command.data, command.which)
    return print(`${removed.map((camera) => camera.name).join(', ')} is no longer in the list of cameras.`)
  }
  if (command.command === 'enrol') {
    await requestEnrollment(command.provider, command.data, command.code, command.name)
    return print(
      `${command.name} is enrolled. Start it: node scripts/bridge.mjs --provider ${command.provider} --data ${command.data}`,
    )
  }
  if (command.command === 'doctor') {
    const [url] = command.url === '-' ? await inputLines() : [command.url]
    process.exitCode = (await examine(url, command.data, print)) ? 0 : 1
    return
  }
  if (command.command === 'discover') {
    const [name, password = ''] = command.asksForUser ? await inputLines() : []
    process.exitCode = (await discover(name === undefined ? undefined : { name, password }, print)) > 0 ? 0 : 1
    return
  }
  stampLines()
  const bridge = await BridgeProgram.open(command.options)
  if (isReportingTo(command.options.provider, process.env['BRIDGE_REPORTS'])) {
    const reports = new FailureReports(bridge.client)
    onFault((task, error) => reports.report(task, error))
  }
  bridge.start()
  if (command.options.visits === 'none') watchVisitOrders(command.options.data, (id) => hasVisit(bridge.units.get(id)))
  answerSupervisor()
  // Writes the compile cache now, if there is one: a killed bridge writes nothing, and the next start should be faster.
  flushCompileCache()
  const end = () =>
    void bridge
      .stop()
      .then(linesEnded)
      .finally(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

// A fault in one connection must not stop the other cameras.
process.on('unhandledRejection', (error) => reportInternalError('bridge', 'Something failed and was left alone', error))

try {
  await execute(parseBridgeArguments(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${maskCredentials(getErrorMessage(error))}\n`)
  process.exitCode = 1
}
