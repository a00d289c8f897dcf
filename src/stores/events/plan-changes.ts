import { reloadDevices } from '../home/devices.ts'
import { onFeed } from '../home/feed.ts'
import { $videoSearchLogin, loadOnboarding } from '../account/search-enrollment.ts'
import { reloadRetention } from './retention.ts'

/**
 * What covers the cameras has changed: how events are listed, how long they are kept and whether they can be searched is asked
 * again, where it was asked before. Ends with the returned function.
 */
export function watchPlans(): () => void {
  return onFeed(({ type }) => {
    if (type !== 'access') return
    void reloadDevices()
    void reloadRetention()
    if ($videoSearchLogin.get() !== 0) void loadOnboarding(true)
  })
}
