import { connect } from '../../stores/session/connect.ts'
import { loggedFetch } from '../../services/logged-fetch.ts'
import { noteRequest } from '../log/note-requests.ts'
import { leave } from '../page/page.ts'

/** The API client of this page, connected once, however many modules import this. */
export const refresher = connect({
  fetch: loggedFetch((...args) => fetch(...args), noteRequest),
  leave,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})
