"use strict";
// One stream of changes for all pages of a workspace in a browser. The worker's name is the prefix of their addresses.
const ports = new Set();
let source = null;

const broadcast = (message) => { for (const port of ports) port.postMessage(message); };

const open = (since) => {
  source = new EventSource(`${self.name}/live?since=${encodeURIComponent(since)}`);
  source.onopen = () => broadcast({ connected: true });
  source.onerror = () => {
    broadcast({ connected: false });
    // Ended for good, such as after signing out: the next page opens a new stream.
    if (source.readyState === EventSource.CLOSED) source = null;
  };
  source.addEventListener("change", (event) => broadcast({ change: JSON.parse(event.data) }));
};

self.onconnect = (connected) => {
  const port = connected.ports[0];
  ports.add(port);
  port.onmessage = ({ data }) => {
    if (data.close) ports.delete(port);
    if (data.since && !source) open(data.since);
    if (ports.size === 0 && source) { source.close(); source = null; }
  };
};
