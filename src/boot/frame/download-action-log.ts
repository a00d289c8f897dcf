import { BRAND_NAME } from '../../../contract/brand.ts'
import { USER_AGENT_MAX } from '../../../contract/wire/constants.ts'
import { getStatusMeaning } from '../../../contract/wire/error-codes.ts'
import { readLoggedEntries } from '../../stores/shell/action-log.ts'
import { $viewport } from '../../stores/shell/viewport.ts'
import { readConfig } from '../page/read-config.ts'

export async function downloadLog(): Promise<void> {
  const { buildId = 'unknown' } = await readConfig()
  const file = {
    product: BRAND_NAME,
    version: buildId,
    browser: navigator.userAgent.slice(0, USER_AGENT_MAX),
    viewport: $viewport.get(),
    requests: readLoggedEntries().map((entry) => ({ ...entry, means: getStatusMeaning(entry.status) })),
  }
  const url = URL.createObjectURL(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${BRAND_NAME.toLowerCase()}-log-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  URL.revokeObjectURL(url)
}
