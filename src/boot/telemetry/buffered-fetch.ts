import { createLoggedFetch } from '../../services/logged-fetch.ts'
import { recordRequest } from './request-buffer.ts'

/** `fetch` of a page that records every request for the action log (OPEN-137). */
export const bufferedFetch = createLoggedFetch((...args) => fetch(...args), recordRequest)
