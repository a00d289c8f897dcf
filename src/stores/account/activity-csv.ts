import { type ActivityEntry, getActivity } from '../../../contract/account/activity.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { describeActivity } from '../../domain/copy/activity-entries.ts'
import { toCsv } from '../../../contract/wire/csv.ts'
import { withFailureShown, type Failure, type Outcome } from '../shell/report-failure.ts'
import { saveFile } from '../shell/save-file.ts'

type ActivityPage = DataOf<typeof getActivity>

const EXPORT_FAILED_TEXT = 'We couldn’t download your activity. Try again shortly.'

/** Saves all activity entries of the last 90 days as a CSV file. Returns null on success. */
export async function saveActivityCsv(): Promise<Failure | null> {
  const entries: ActivityEntry[] = []
  let before: string | null = ''
  while (before !== null) {
    const response: Outcome<ActivityPage> = await withFailureShown(
      'toast',
      request(getActivity, before === '' ? {} : { before }),
      EXPORT_FAILED_TEXT,
    )
    if (!response.ok) return response
    entries.push(...response.data.entries)
    before = response.data.next
  }
  const rows = entries.map((entry) => {
    const { title, line } = describeActivity(entry)
    return [new Date(entry.at).toISOString(), new Date(entry.until).toISOString(), entry.kind, title, line]
  })
  const table = toCsv([['From', 'To', 'Type', 'Activity', 'Details'], ...rows])
  saveFile(new Blob([table], { type: 'text/csv;charset=utf-8' }), `${BRAND_NAME} activity.csv`)
  return null
}
