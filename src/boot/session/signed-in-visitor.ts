import { fetchCurrentUser } from '../../api/current-user.ts'
import { storeCurrentUser } from '../../stores/session/session.ts'
import { showPlansButton } from '../frame/plans-button.ts'
import { bufferedFetch } from '../telemetry/buffered-fetch.ts'
import { recordRequests } from '../telemetry/record-requests.ts'
import { showCurrentUser } from './show-current-user.ts'

/** On public pages: shows the account of a visitor whose marker cookie is set. */
recordRequests()
const result = await fetchCurrentUser(bufferedFetch)
if (result.who === 'user') {
  storeCurrentUser(result.me)
  showCurrentUser('user', result.me.user_account)
  await showPlansButton()
} else showCurrentUser(result.who === 'unreachable' ? 'unknown' : 'nobody')
