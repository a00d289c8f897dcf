/** Early request of the document, with its pending or completed response. */
export interface EarlyExchange {
  readonly method: string
  readonly url: string
  /** Request body, '' if there is none. */
  readonly body: string
  /** Time of the request, ms UTC. */
  readonly at: number
  /** Value of `web_app_token` in this browser's storage at the time of the request; '' if none. */
  readonly token: string
  /** Duration in ms, set when the response has arrived. */
  ms?: number
  /** Resolves with the response; rejects if no response arrives. */
  readonly answer: Promise<{ readonly status: number; readonly text: string }>
}

/** Socket opened by the document of /live, and the messages it has received so far. */
export interface EarlySocket {
  readonly socket: WebSocket
  readonly bufferedMessages: MessageEvent<unknown>[]
}

declare global {
  interface Window {
    /** Early requests whose responses no store has used yet. */
    early?: EarlyExchange[]
    /** Sockets opened by the document, keyed by URL. */
    earlySockets?: Map<string, EarlySocket>
    /** Largest images of the first screen. The document requests them when the response with their URLs arrives. */
    pictures?: HTMLImageElement[]
    /**
     * Fills the placeholders of the tiles of /live with the names of cameras. The document sets this function with the
     * early request for the cameras.
     */
    fillTiles?: (cameras: readonly { readonly device_id: string; readonly nickname: string }[], layout: string) => void
    /** Resolves when React and later tasks of /live may start (src/boot/early/start-live.ts). Other pages have none. */
    firstScreen?: Promise<void>
    /** Positions the tiles in the body of /live. Set by src/stores/live/position-tiles.ts once it has loaded. */
    placeTiles?: () => void
    /** Events of the early request of /events, until the early cards are drawn. Not validated. */
    earlyEvents?: readonly unknown[]
  }
}
