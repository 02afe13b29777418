// The widgets of a kernel on a bare page: the classes that JupyterLab uses, without JupyterLab.
//
// `window.tested.connect` follows a kernel of the server that served this page. Its widgets are made by
// ManagerBase of ipywidgets and by anywidget's own front end, as it is installed; the connection is JupyterLab's.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import { KernelManager, ServerConnection } from "@jupyterlab/services";
import { Widget } from "@lumino/widgets";

const VIEW = "application/vnd.jupyter.widget-view+json";
const modules = { "@jupyter-widgets/base": base };

/** What anywidget's module for the classic notebook calls, an AMD module. */
window.define = (names, factory) => {
  modules.anywidget = factory(...names.map((name) => modules[name]));
};

class Manager extends ManagerBase {
  constructor(kernel) {
    super();
    this.kernel = kernel;
    kernel.registerCommTarget(this.comm_target_name, async (comm, message) => {
      await this.handle_comm_open(new base.shims.services.Comm(comm), message);
    });
  }
  async loadClass(name, module) {
    const exported = modules[module]?.[name];
    if (!exported) throw new Error(`no ${name} of ${module} on this page`);
    return exported;
  }
  async _create_comm(target, id, data, metadata, buffers) {
    const comm = this.kernel.createComm(target, id);
    if (data || metadata) comm.open(data, metadata, buffers);
    return new base.shims.services.Comm(comm);
  }
  async _get_comm_info() {
    const { content } = await this.kernel.requestCommInfo({ target_name: this.comm_target_name });
    return content.comms;
  }
  /** Shows a widget at the end of the page. */
  async display(id) {
    const view = await this.create_view(await this.get_model(id));
    const place = document.createElement("div");
    document.querySelector("#outputs").append(place);
    view.luminoWidget.disposed.connect(() => place.remove());
    Widget.attach(view.luminoWidget, place);
  }
}

class Tested {
  async connect(id, token) {
    const serverSettings = ServerConnection.makeSettings({
      baseUrl: `${location.origin}/`,
      wsUrl: location.origin.replace("http", "ws"),
      token,
      appendToken: true,
    });
    const kernels = new KernelManager({ serverSettings });
    this.kernel = kernels.connectTo({ model: { id, name: "python3" } });
    this.manager = new Manager(this.kernel);
    await this.kernel.info;
  }
  /** Runs code, shows its widgets, and gives what it printed and its traceback. */
  async run(code) {
    const said = { out: "", error: null };
    const shown = [];
    const future = this.kernel.requestExecute({ code, store_history: false });
    future.onIOPub = ({ header, content }) => {
      if (header.msg_type === "stream") said.out += content.text;
      if (header.msg_type === "error") said.error = content.traceback.join("\n");
      if (content.data?.[VIEW]) shown.push(this.manager.display(content.data[VIEW].model_id));
    };
    await future.done;
    await Promise.all(shown);
    return said;
  }
}

window.tested = new Tested();
