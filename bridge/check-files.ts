/** `node bridge/check-files.ts DIR`: checks the bridge's files in a data folder. Exits with 1 if a file is damaged. */
import { checkFiles } from './data-files.ts'
import { maskCredentials, getErrorMessage } from './runtime/log.ts'

try {
  await checkFiles(process.argv[2] ?? '')
} catch (error) {
  process.stderr.write(`${maskCredentials(getErrorMessage(error))}\n`)
  process.exitCode = 1
}
