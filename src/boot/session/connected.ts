import { earlyFetch } from '../../api/early-fetch.ts'
import { connect } from '../../stores/session/connect.ts'
import { noteRequest } from '../log/note-requests.ts'
import { notedFetch } from '../log/noted-fetch.ts'
import { leave } from '../page/page.ts'

/** Every request of this page: what the document has asked is taken, and all of them are noted for the action log (OPEN-137). */
export const pageFetch = earlyFetch(notedFetch, noteRequest)

/** The API client of this page, connected once, however many modules import this. */
export const refresher = connect({
  fetch: pageFetch,
  leave,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})
