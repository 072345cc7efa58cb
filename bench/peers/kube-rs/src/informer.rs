use std::future::ready;

use futures::StreamExt;
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Api, Client, ResourceExt};

use crate::api::Widget;
use crate::protocol::Protocol;

/// Keeps all Widgets in a store, without managed fields, as kaji does by default.
pub async fn mirror(client: Client, talk: &Protocol) {
    let (reader, writer) = reflector::store();
    let widgets = watcher(Api::<Widget>::all(client), watcher::Config::default())
        .modify(|widget| widget.managed_fields_mut().clear())
        .default_backoff()
        .reflect(writer)
        .applied_objects()
        .for_each(|widget| {
            // After an error the watcher goes on by itself.
            if let Ok(widget) = widget {
                talk.arrived(&widget.name_any(), widget.annotations());
            }
            ready(())
        });
    let synced = async {
        reader.wait_until_ready().await.expect("the writer is there");
        talk.say("synced");
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = widgets => {}
        () = synced => {}
    }
}

/// Makes one request.
pub async fn first(client: Client, talk: &Protocol) -> Result<(), kube::Error> {
    Api::<Widget>::namespaced(client, "default").get("widget-0").await?;
    talk.say("answered");
    std::future::pending().await
}
