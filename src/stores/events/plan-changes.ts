import { reloadDevices } from '../home/devices.ts'
import { onFeed } from '../home/feed.ts'
import { $videoSearchLogin, loadOnboarding } from '../account/search-enrollment.ts'
import { reloadRetention } from './retention.ts'

/**
 * Reloads cameras, retention and search access, if loaded before, when plan coverage changes. Returns an unsubscribe
 * function.
 */
export function watchPlans(): () => void {
  return onFeed(({ type }) => {
    if (type !== 'access') return
    void reloadDevices()
    void reloadRetention()
    if ($videoSearchLogin.get() !== 0) void loadOnboarding(true)
  })
}
