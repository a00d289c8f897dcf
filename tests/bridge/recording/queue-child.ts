/**
 * Child process that adds a recording to the queue of a folder and prints `queued`. Its delivery never ends, so the
 * process runs until the test kills it.
 */
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'

const [, , data = '', eventId = ''] = process.argv
const queue = new RecordingQueue(data, () => new Promise(() => setInterval(() => undefined, 1000)))
await queue.open()
await queue.add(eventId, {
  device_id: 'PL1',
  scene: 'driveway',
  light: 'day',
  action: 'courier',
  at: 1_795_181_460_000,
})
process.stdout.write('queued\n')
