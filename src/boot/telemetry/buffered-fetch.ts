import { createLoggedFetch } from '../../services/logged-fetch.ts'
import { recordRequest } from './request-buffer.ts'

/** `fetch` that records each of its requests for the action log (OPEN-137). */
export const bufferedFetch = createLoggedFetch((...args) => fetch(...args), recordRequest)
