/** `node bridge/check-files.ts DIR`: checks the bridge's files in a data folder. Exit code 1 and a sentence if one is damaged. */
import { checkFiles } from './data-files.ts'
import { maskCredentials, getErrorMessage } from './runtime/log.ts'

try {
  await checkFiles(process.argv[2] ?? '')
} catch (error) {
  process.stderr.write(`${maskCredentials(getErrorMessage(error))}\n`)
  process.exitCode = 1
}
