import { reloadDevices } from '../home/devices.ts'
import { onFeed } from '../home/feed.ts'
import { $videoSearchLogin, loadEnrollment } from '../account/search-enrollment.ts'
import { reloadRetention } from './retention.ts'

/**
 * When plan coverage changes, reloads the cameras. Also reloads the retention and the search enrollment if they were
 * loaded before. Returns an unsubscribe function.
 */
export function reloadOnPlanChanges(): () => void {
  return onFeed(({ type }) => {
    if (type !== 'access') return
    void reloadDevices()
    void reloadRetention()
    if ($videoSearchLogin.get() !== 0) void loadEnrollment(true)
  })
}
