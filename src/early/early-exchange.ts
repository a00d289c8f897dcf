/** Early request of the document, pending or answered. */
export interface EarlyExchange {
  readonly method: string
  readonly url: string
  /** Request body, '' if there is none. */
  readonly body: string
  /** Time of the request, ms UTC. */
  readonly at: number
  /** Token stored in this browser at that time, '' if none. */
  readonly token: string
  /** Duration in ms, set when the response has arrived. */
  ms?: number
  /** Response of the request. Rejects if no response arrives. */
  readonly answer: Promise<{ readonly status: number; readonly text: string }>
}

/** Socket opened by the document of /live, and the messages it has received so far. */
export interface EarlySocket {
  readonly socket: WebSocket
  readonly missed: MessageEvent<unknown>[]
}

declare global {
  interface Window {
    /** Early requests that no store has taken yet. */
    early?: EarlyExchange[]
    /** Sockets opened by the document, keyed by URL. */
    earlySockets?: Map<string, EarlySocket>
    /** Largest images of the first screen, requested before anything renders. */
    pictures?: HTMLImageElement[]
  }
}
